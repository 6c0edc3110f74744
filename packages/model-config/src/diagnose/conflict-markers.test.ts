import { describe, expect, it } from "vitest";
import { applyEdits } from "../diagnostic.ts";
import { diagnoseConflictMarkers } from "./conflict-markers.ts";
import { diagnoseConfig } from "./diagnose-config.ts";

const TEXT = `backend: "onnxruntime"
<<<<<<< yours
max_batch_size: 16
=======
max_batch_size: 32
>>>>>>> theirs
instance_group { count: 1 }
`;

describe("diagnoseConflictMarkers", () => {
  it("says it at both ends, with either side for a fix, and nothing else", () => {
    const found = diagnoseConfig({ text: TEXT, modelName: "m", graph: null });
    expect(found.map(({ line, severity }) => `${line} ${severity}`)).toEqual(["2 error", "6 error"]);
    const [first, second] = found.map(({ fix }) => applyEdits(TEXT, fix?.edits ?? []));
    expect(first).toBe('backend: "onnxruntime"\nmax_batch_size: 16\ninstance_group { count: 1 }\n');
    expect(second).toBe('backend: "onnxruntime"\nmax_batch_size: 32\ninstance_group { count: 1 }\n');
  });

  it("finds markers that lost their others", () => {
    expect(diagnoseConflictMarkers("<<<<<<< yours\na: 1\n").map(({ line }) => line)).toEqual([1]);
    expect(diagnoseConflictMarkers("a: 1\n>>>>>>> theirs").map(({ line }) => line)).toEqual([2]);
    expect(diagnoseConflictMarkers("<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> c\n").map(({ line }) => line)).toEqual([
      1, 2, 4,
    ]);
  });

  it("finds none in a text without", () => {
    expect(diagnoseConflictMarkers("input < name: 'x' >\n# =======\n")).toEqual([]);
  });
});
