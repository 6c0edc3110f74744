import type { InputDraft } from "./draft.ts";

/** What the browser keeps of one model for the session. */
export interface KeptState {
  readonly drafts: readonly InputDraft[];
  readonly parameters: string;
  readonly tries: readonly Try[];
}

/** One request that was sent, as the history has it. */
export interface Try {
  readonly at: number;
  readonly protocol: "http" | "grpc";
  readonly version: string | null;
  readonly classes: number;
  readonly drafts: readonly InputDraft[];
  readonly parameters: string;
  readonly wholeMs: number;
  /** Code of the failure; null when it was answered. */
  readonly failure: string | null;
}

const MOST_TRIES = 20;
/** Letters of a file that is kept. */
const MOST_FILE = 200_000;

const NOTHING: KeptState = { drafts: [], parameters: "", tries: [] };

/** Reads what was kept; nothing where there is none, or it is of another form. */
export function readKept(key: string): KeptState {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return isKept(found) ? found : NOTHING;
  } catch {
    return NOTHING;
  }
}

/** Keeps it; where there is no room, without the history, and else not at all. */
export function writeKept(key: string, state: KeptState): void {
  const lean = { ...state, drafts: state.drafts.map(withoutLargeFile) };
  for (const one of [lean, { ...lean, tries: [] }]) {
    try {
      sessionStorage.setItem(key, JSON.stringify(one));
      return;
    } catch {
      // Full, or not allowed: a smaller one may fit.
    }
  }
}

/** The newest first. Pure. */
export function withTry(tries: readonly Try[], one: Try): readonly Try[] {
  return [{ ...one, drafts: one.drafts.map(withoutLargeFile) }, ...tries].slice(0, MOST_TRIES);
}

function withoutLargeFile(draft: InputDraft): InputDraft {
  return draft.file !== null && draft.file.base64.length > MOST_FILE ? { ...draft, file: null } : draft;
}

function isKept(value: unknown): value is KeptState {
  if (typeof value !== "object" || value === null) return false;
  return (
    "drafts" in value &&
    Array.isArray(value.drafts) &&
    value.drafts.every(isDraft) &&
    "tries" in value &&
    Array.isArray(value.tries) &&
    "parameters" in value &&
    typeof value.parameters === "string"
  );
}

function isDraft(value: unknown): value is InputDraft {
  return typeof value === "object" && value !== null && "kind" in value && "shape" in value && "image" in value;
}
