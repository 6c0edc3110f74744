import type { DraftState } from "@nereid/client";
import { describe, expect, it } from "vitest";
import { type DraftEvent, nextDraftState } from "./draft-state.ts";

const STATES: readonly DraftState[] = ["open", "checking", "ready", "refused", "publishing", "published"];

function outcomes(event: DraftEvent): string[] {
  return STATES.map((state) => {
    try {
      return nextDraftState(state, event);
    } catch (error) {
      return (error as { code: string }).code;
    }
  });
}

describe("nextDraftState()", () => {
  it.each<[DraftEvent, string[]]>([
    [{ type: "edit" }, ["open", "CONFLICT", "open", "open", "CONFLICT", "CONFLICT"]],
    [{ type: "check" }, ["checking", "CONFLICT", "checking", "checking", "CONFLICT", "CONFLICT"]],
    [{ type: "publish" }, ["CONFLICT", "CONFLICT", "publishing", "CONFLICT", "CONFLICT", "CONFLICT"]],
    [{ type: "restart", committed: false }, ["open", "open", "ready", "refused", "ready", "published"]],
    [{ type: "restart", committed: true }, ["open", "open", "ready", "refused", "published", "published"]],
  ])("%j from every state", (event, expected) => {
    expect(outcomes(event)).toEqual(expected);
  });

  it("follows the whole way", () => {
    const events: DraftEvent[] = [{ type: "check" }, { type: "checked", passed: true }, { type: "publish" }];
    const state = events.reduce<DraftState>(nextDraftState, "open");
    expect(state).toBe("publishing");
    expect(nextDraftState(state, { type: "publish-failed" })).toBe("ready");
    expect(nextDraftState(state, { type: "published" })).toBe("published");
    expect(nextDraftState("checking", { type: "checked", passed: false })).toBe("refused");
  });
});
