import { useEffect, useEffectEvent } from "react";

/** A key, or two one after the other ("g m"), and what it does. */
export interface Shortcut {
  readonly keys: string;
  readonly run: () => void;
}

const SEQUENCE_MS = 1_000;

/** Whether typed letters belong to what has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, [role=textbox], [role=dialog]") !== null;
}

/** Single-key shortcuts; off while somebody types or where `enabled` says so. */
export function useShortcuts(shortcuts: readonly Shortcut[], enabled: boolean): void {
  const press = useEffectEvent((keys: string): boolean => {
    const found = shortcuts.find((shortcut) => shortcut.keys === keys);
    found?.run();
    return found !== undefined;
  });
  useEffect(() => {
    if (!enabled) return;
    let first = "";
    let forget: ReturnType<typeof setTimeout> | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      clearTimeout(forget);
      const keys = first === "" ? event.key : `${first} ${event.key}`;
      first = "";
      if (press(keys)) event.preventDefault();
      else {
        first = event.key;
        forget = setTimeout(() => {
          first = "";
        }, SEQUENCE_MS);
      }
    };
    addEventListener("keydown", onKey);
    return () => {
      clearTimeout(forget);
      removeEventListener("keydown", onKey);
    };
  }, [enabled]);
}
