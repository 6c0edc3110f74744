import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False on the server and in the first render of the browser: what depends on the reader's zone or screen waits for it. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
