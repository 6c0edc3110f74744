import { useEffect, useState } from "react";

/** A yes or no that this browser remembers. The default holds until the page has come alive. */
export function useStoredFlag(key: string, otherwise: boolean): [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(otherwise);
  useEffect(() => {
    const stored = localStorage.getItem(key);
    if (stored !== null) setValue(stored === "yes");
  }, [key]);
  return [
    value,
    (next) => {
      localStorage.setItem(key, next ? "yes" : "no");
      setValue(next);
    },
  ];
}
