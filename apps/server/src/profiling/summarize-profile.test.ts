import { describe, expect, it } from "vitest";
import { summarizeProfile } from "./summarize-profile.ts";

const node = (name: string, op: string, dur: number, provider = "CPUExecutionProvider") => ({
  cat: "Node",
  name: `${name}_kernel_time`,
  dur,
  args: { op_name: op, provider },
});

describe("summarizeProfile()", () => {
  it("adds up kernels by operator and provider, and by node, the costliest first", () => {
    const summary = summarizeProfile([
      { cat: "Session", name: "model_loading_uri", dur: 900 },
      { cat: "Session", name: "model_run", dur: 40 },
      { cat: "Session", name: "model_run", dur: 60 },
      { cat: "Node", name: "conv1_fence_before", dur: 999 },
      node("conv1", "Conv", 10),
      node("relu1", "Relu", 2),
      node("conv2", "Conv", 20),
      node("conv1", "Conv", 12),
      node("conv3", "Conv", 5, "CUDAExecutionProvider"),
    ]);
    expect(summary.runs).toBe(2);
    expect(summary.totalUs).toBe(100);
    expect(summary.operators).toEqual([
      { operator: "Conv", provider: "CPUExecutionProvider", calls: 3, totalUs: 42 },
      { operator: "Conv", provider: "CUDAExecutionProvider", calls: 1, totalUs: 5 },
      { operator: "Relu", provider: "CPUExecutionProvider", calls: 1, totalUs: 2 },
    ]);
    expect(summary.nodes.map(({ node: name, totalUs }) => [name, totalUs])).toEqual([
      ["conv1", 22],
      ["conv2", 20],
      ["conv3", 5],
      ["relu1", 2],
    ]);
  });

  it("is empty for a profile in which nothing ran", () => {
    expect(summarizeProfile([{ cat: "Session", name: "model_loading_uri", dur: 1 }])).toEqual({
      runs: 0,
      totalUs: 0,
      operators: [],
      nodes: [],
    });
  });
});
