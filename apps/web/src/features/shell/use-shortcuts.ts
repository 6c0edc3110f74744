import { useEffect, useEffectEvent } from "react";
import { readKey } from "./key-sequence.ts";

/** A key, or two one after the other ("g m"), and what it does. */
export interface Shortcut {
  readonly keys: string;
  readonly run: () => void;
}

const SEQUENCE_MS = 1_000;
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "CapsLock"]);

/** Whether typed letters belong to what has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest("input, textarea, select, [role=textbox], [role=dialog], [role=alertdialog]") !== null
  );
}

/** Single-key shortcuts; off while somebody types or where `enabled` says so. */
export function useShortcuts(shortcuts: readonly Shortcut[], enabled: boolean): void {
  const read = useEffectEvent((pending: string, key: string) => {
    const step = readKey(
      pending,
      key,
      shortcuts.map(({ keys }) => keys),
    );
    shortcuts.find(({ keys }) => keys === step.run)?.run();
    return step;
  });
  useEffect(() => {
    if (!enabled) return;
    let pending = "";
    let forget: ReturnType<typeof setTimeout> | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (MODIFIERS.has(event.key) || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      clearTimeout(forget);
      const step = read(pending, event.key);
      pending = step.pending;
      if (step.run !== null) event.preventDefault();
      if (pending === "") return;
      forget = setTimeout(() => {
        pending = "";
      }, SEQUENCE_MS);
    };
    addEventListener("keydown", onKey);
    return () => {
      clearTimeout(forget);
      removeEventListener("keydown", onKey);
    };
  }, [enabled]);
}
