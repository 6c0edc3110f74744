import { diagnoseConfig, hasErrors } from "@nereid/model-config";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasConflictMarkers, MARKERS, mergeLines } from "./merge-lines.ts";

const BASE = 'backend: "onnxruntime"\nmax_batch_size: 8\n# instances\ninstance_group { count: 1 }\n';

describe("mergeLines", () => {
  it("takes both changes when they concern different lines", () => {
    const mine = BASE.replace("8", "16");
    const theirs = BASE.replace("count: 1", "count: 2");
    const merged = mergeLines({ base: BASE, mine, theirs });
    expect(merged).toEqual({ text: mine.replace("count: 1", "count: 2"), conflicts: 0 });
  });

  it("takes equal changes once", () => {
    const both = BASE.replace("8", "16");
    expect(mergeLines({ base: BASE, mine: both, theirs: both })).toEqual({ text: both, conflicts: 0 });
  });

  it("marks contradictions, so that the result cannot be applied", () => {
    const merged = mergeLines({ base: BASE, mine: BASE.replace("8", "16"), theirs: BASE.replace("8", "32") });
    expect(merged.conflicts).toBe(1);
    expect(merged.text).toContain(
      `${MARKERS.mine}\nmax_batch_size: 16\n${MARKERS.middle}\nmax_batch_size: 32\n${MARKERS.theirs}\n`,
    );
    expect(hasConflictMarkers(merged.text)).toBe(true);
    expect(hasErrors(diagnoseConfig({ text: merged.text, modelName: "m", graph: null }))).toBe(true);
  });

  it.each(Object.values(MARKERS))("a forgotten %s alone is an error too", (marker) => {
    const found = diagnoseConfig({ text: `${BASE}${marker}\n`, modelName: "m", graph: null });
    expect(found.find(({ severity }) => severity === "error")?.line).toBe(5);
  });

  it("marks a removal against a change", () => {
    const base = "a\nb\nc\n";
    const merged = mergeLines({ base, mine: "a\nc\n", theirs: "a\nB\nc\n" });
    expect(merged.text).toBe(`a\n${MARKERS.mine}\n${MARKERS.middle}\nB\n${MARKERS.theirs}\nc\n`);
  });

  const texts = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));

  it("whoever changed nothing gets the other's text", () => {
    fc.assert(
      fc.property(texts, texts, (base, other) => {
        expect(mergeLines({ base, mine: base, theirs: other })).toEqual({ text: other, conflicts: 0 });
        expect(mergeLines({ base, mine: other, theirs: base })).toEqual({ text: other, conflicts: 0 });
        expect(mergeLines({ base, mine: other, theirs: other })).toEqual({ text: other, conflicts: 0 });
      }),
    );
  });

  it("loses no line of either side without a mark", () => {
    fc.assert(
      fc.property(texts, texts, texts, (base, mine, theirs) => {
        const merged = mergeLines({ base, mine, theirs });
        const lines = new Set(merged.text.split("\n"));
        const old = new Set(base.split("\n"));
        for (const line of [...mine.split("\n"), ...theirs.split("\n")]) {
          if (!old.has(line)) expect(lines.has(line)).toBe(true);
        }
        expect(hasConflictMarkers(merged.text)).toBe(merged.conflicts > 0);
      }),
    );
  });
});
