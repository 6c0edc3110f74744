/** What a pressed key leads to: a shortcut to run, or the first half of one that is waited for. */
export interface KeyStep {
  readonly run: string | null;
  readonly pending: string;
}

/**
 * Reads one pressed key after `pending` (the first key of a pair, or "").
 * A key that begins no pair is forgotten at once, and a pair that does not exist counts as its second key alone: so
 * neither Shift (pressed to reach "?") nor Escape (pressed to close something) eats the key after it.
 */
export function readKey(pending: string, key: string, shortcuts: readonly string[]): KeyStep {
  const pair = `${pending} ${key}`;
  if (pending !== "" && shortcuts.includes(pair)) return { run: pair, pending: "" };
  if (shortcuts.includes(key)) return { run: key, pending: "" };
  return { run: null, pending: shortcuts.some((keys) => keys.startsWith(`${key} `)) ? key : "" };
}
