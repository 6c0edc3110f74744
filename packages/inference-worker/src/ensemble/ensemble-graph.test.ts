import { describe, expect, it } from "vitest";
import { type EnsembleStep, ensembleGraph, neededSteps, originOf } from "./ensemble-graph.ts";

const step = (index: number, inputs: readonly string[], outputs: readonly string[]): EnsembleStep => ({
  index,
  model: `m${index}`,
  version: undefined,
  inputs: inputs.map((tensor) => ({ input: tensor, tensor })),
  outputs: outputs.map((tensor) => ({ output: tensor, tensor })),
});

/** `in` → 0 (decoupled) → a → 1 → b; `in` → 2 → c; b and c → 3 → d. */
const STEPS = [step(0, ["in"], ["a"]), step(1, ["a"], ["b"]), step(2, ["in"], ["c"]), step(3, ["b", "c"], ["d"])];
const firstOnly = ({ index }: EnsembleStep) => index === 0;

describe("the graph of an ensemble", () => {
  it("knows for each step the decoupled step whose answers it follows", () => {
    const graph = ensembleGraph(STEPS, firstOnly);
    expect("kind" in graph ? [] : graph.origin).toEqual([-1, 0, -1, 0]);
  });

  it("knows the same of tensors", () => {
    const graph = ensembleGraph(STEPS, firstOnly);
    if ("kind" in graph) throw new Error("mixed");
    expect(["in", "a", "b", "c", "d"].map((tensor) => originOf(graph, tensor, firstOnly))).toEqual([-1, 0, 0, -1, 0]);
  });

  it("follows decoupled steps behind each other", () => {
    const graph = ensembleGraph(
      [step(0, ["in"], ["a"]), step(1, ["a"], ["b"]), step(2, ["a", "b"], ["c"])],
      ({ index }) => index < 2,
    );
    expect("kind" in graph ? [] : graph.origin).toEqual([-1, 0, 1]);
  });

  it("refuses a step that would have to pair the answers of two decoupled steps", () => {
    const steps = [step(0, ["in"], ["a"]), step(1, ["in"], ["b"]), step(2, ["a", "b"], ["c"])];
    expect(ensembleGraph(steps, ({ index }) => index < 2)).toEqual({ kind: "mixed", step: 2 });
  });

  it("needs only the steps above the tensors that are asked for", () => {
    const graph = ensembleGraph(STEPS, () => false);
    if ("kind" in graph) throw new Error("mixed");
    expect([...neededSteps(graph, ["c"])]).toEqual([2]);
    expect([...neededSteps(graph, ["b"])].sort()).toEqual([0, 1]);
    expect([...neededSteps(graph, ["d"])].sort()).toEqual([0, 1, 2, 3]);
  });
});
