import { useEffect, useState } from "react";

const SHOWN_MS = 2000;

export type CopyState = "idle" | "copied" | "failed";

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copies to the clipboard and remembers for two seconds how it went; pages that are not served securely cannot copy. */
export function useCopy(): { readonly state: CopyState; copy(text: string): void } {
  const [state, setState] = useState<CopyState>("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return { state, copy: (text) => void copyText(text).then((ok) => setState(ok ? "copied" : "failed")) };
}
