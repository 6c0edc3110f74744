import { describe, expect, it } from "vitest";
import { PlacementReader } from "./placement.ts";

const AT = "2026-11-22 01:04:02.314 [V:onnxruntime:, session_state.cc:1380 VerifyEachNodeIsAssignedToAnEp] ";

describe("PlacementReader", () => {
  it("knows nothing where nothing was said", () => {
    expect(new PlacementReader().placement).toBeUndefined();
  });

  it("counts nodes by provider", () => {
    const reader = new PlacementReader();
    expect(reader.read(`${AT} Node(s) placed on [CUDAExecutionProvider]. Number of nodes: 12`)).toBe(true);
    expect(reader.read(`${AT} Node(s) placed on [CPUExecutionProvider]. Number of nodes: 2`)).toBe(true);
    expect(reader.placement).toEqual({ CUDAExecutionProvider: 12, CPUExecutionProvider: 2 });
  });

  it("reads a graph that is on one provider", () => {
    const reader = new PlacementReader();
    reader.read(`${AT} All nodes placed on [WebGpuExecutionProvider]. Number of nodes: 4`);
    expect(reader.placement).toEqual({ WebGpuExecutionProvider: 4 });
  });

  it("leaves warnings and what models print to the log", () => {
    const reader = new PlacementReader();
    expect(reader.read("2026 [W:onnxruntime:, transformer_memcpy.cc:74] 2 Memcpy nodes are added")).toBe(false);
    expect(reader.read("hello")).toBe(false);
  });
});
