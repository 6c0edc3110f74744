import type { DraftState } from "@nereid/client";
import { NereidError } from "@nereid/errors";

/** What can happen to a draft. */
export type DraftEvent =
  | { readonly type: "edit" }
  | { readonly type: "check" }
  | { readonly type: "checked"; readonly passed: boolean }
  | { readonly type: "publish" }
  | { readonly type: "published" }
  | { readonly type: "publish-failed" }
  /** The server started again; `committed` tells whether the version is in its place. */
  | { readonly type: "restart"; readonly committed: boolean };

const BUSY: Partial<Record<DraftState, string>> = {
  checking: "the draft is being checked; wait until that has ended",
  publishing: "the draft is being published; wait until that has ended",
  published: "the draft is published; open a new one",
};

/** The state after an event. CONFLICT, saying what to do, for an event that the state does not allow. Pure. */
export function nextDraftState(state: DraftState, event: DraftEvent): DraftState {
  switch (event.type) {
    case "edit":
    case "check": {
      const busy = BUSY[state];
      if (busy !== undefined) throw new NereidError("CONFLICT", busy);
      return event.type === "edit" ? "open" : "checking";
    }
    case "checked":
      return event.passed ? "ready" : "refused";
    case "publish": {
      if (state === "ready") return "publishing";
      const why =
        state === "refused" ? "the draft was refused; correct it and check it again" : "check the draft first";
      throw new NereidError("CONFLICT", BUSY[state] ?? why);
    }
    case "published":
      return "published";
    case "publish-failed":
      return "ready";
    case "restart":
      if (state === "checking") return "open";
      if (state === "publishing") return event.committed ? "published" : "ready";
      return state;
  }
}
