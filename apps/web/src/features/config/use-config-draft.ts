import { useEffect, useState } from "react";
import { type Draft, type DraftState, draftState, readDraft, type Served, typed } from "./draft.ts";

export interface ConfigDraft {
  readonly state: DraftState;
  type(text: string): void;
  /** Goes on from another file with this text: after a merge. */
  rebase(text: string, base: Served): void;
  discard(): void;
}

function stored(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    // Storage may be forbidden; the draft then lives as long as the page.
    return null;
  }
}

const keyOf = (model: string) => `nereid.config-draft.${model}`;

/** Leaves a draft for the model's configuration page, as if it had been typed there. */
export function keepDraft(model: string, draft: Draft): void {
  store(keyOf(model), draft);
}

function store(key: string, draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Full or forbidden, see above.
  }
}

/** What is being written to a model's configuration; kept for this browser tab until it is applied or discarded. */
export function useConfigDraft(model: string, served: Served): ConfigDraft {
  const key = keyOf(model);
  const [draft, setDraft] = useState<Draft | null>(null);
  // After the first render, because the server cannot know it.
  useEffect(() => setDraft(readDraft(stored(key))), [key]);
  const change = (next: Draft | null) => {
    setDraft(next);
    store(key, next);
  };
  return {
    state: draftState(draft, served),
    type: (text) => change(typed(draft, served, text)),
    rebase: (text, base) => change({ text, base }),
    discard: () => change(null),
  };
}
