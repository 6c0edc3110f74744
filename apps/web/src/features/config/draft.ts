import { z } from "zod";

/** The configuration as it lies on the disk. */
export interface Served {
  readonly text: string;
  readonly digest: string;
}

/** What somebody is writing, and what it was begun from. */
export interface Draft {
  readonly text: string;
  readonly base: Served;
}

export type DraftState =
  /** Nothing was changed. */
  | { readonly kind: "clean"; readonly text: string }
  | { readonly kind: "changed"; readonly text: string; readonly base: Served }
  /** Somebody else has changed the file since the draft was begun. */
  | { readonly kind: "conflict"; readonly text: string; readonly base: Served; readonly theirs: Served };

/** How a draft stands to the file. A draft equal to the file is none. */
export function draftState(draft: Draft | null, served: Served): DraftState {
  if (draft === null || draft.text === served.text || draft.text === draft.base.text)
    return { kind: "clean", text: served.text };
  const { text, base } = draft;
  return base.digest === served.digest
    ? { kind: "changed", text, base }
    : { kind: "conflict", text, base, theirs: served };
}

/** The draft after typing: the first key keeps what it was begun from. */
export function typed(draft: Draft | null, served: Served, text: string): Draft {
  const state = draftState(draft, served);
  return { text, base: state.kind === "clean" ? { text: served.text, digest: served.digest } : state.base };
}

const storedDraft = z.object({ text: z.string(), base: z.object({ text: z.string(), digest: z.string() }) });

/** A stored draft; null for anything else. */
export function readDraft(stored: string | null): Draft | null {
  if (stored === null) return null;
  try {
    return storedDraft.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}
