import { describe, expect, it } from "vitest";
import { draftState, readDraft, typed } from "./draft.ts";

const served = { text: "max_batch_size: 8\n", digest: "one" };
const newer = { text: "max_batch_size: 4\n", digest: "two" };

describe("draftState", () => {
  it("is clean without a draft, and when everything was typed back", () => {
    expect(draftState(null, served).kind).toBe("clean");
    expect(draftState(typed(null, served, served.text), served).kind).toBe("clean");
  });

  it("keeps what it was begun from through further typing", () => {
    const first = typed(null, served, "a");
    const second = typed(first, newer, "ab");
    expect(second).toEqual({ text: "ab", base: served });
    expect(draftState(second, newer)).toEqual({ kind: "conflict", text: "ab", base: served, theirs: newer });
    expect(draftState(second, served).kind).toBe("changed");
  });

  it("has no conflict when both came to the same text", () => {
    expect(draftState({ text: newer.text, base: served }, newer).kind).toBe("clean");
  });

  it("an untouched old draft gives way to the newer file", () => {
    expect(draftState({ text: served.text, base: served }, newer)).toEqual({ kind: "clean", text: newer.text });
  });
});

describe("readDraft", () => {
  it("reads what was stored and nothing else", () => {
    const draft = typed(null, served, "x");
    expect(readDraft(JSON.stringify(draft))).toEqual(draft);
    for (const bad of [null, "", "{", '{"text":1}', "[]"]) expect(readDraft(bad)).toBeNull();
  });
});
