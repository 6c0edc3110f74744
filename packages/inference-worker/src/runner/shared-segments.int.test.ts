import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TensorRef } from "../runner-protocol/messages.ts";
import type { RunnerResponse } from "../runners/requests-execution.ts";
import type { RunnerProcess } from "../runners/runner-process.ts";
import { segmentRegistry } from "../shm/segment-registry.ts";
import { place, ScriptBench, SESSION } from "./testing/script-bench.ts";

const MODEL = fileURLToPath(new URL("../../../../model_repo/identity_fp32/1/model.onnx", import.meta.url));
const DOUBLE = `export const execute = (requests) => requests.map(({ inputs: { X } }) =>
  ({ outputs: { Y: { shape: X.shape, data: X.data.map((value) => 2 * value) } } }));`;

type Started = Awaited<ReturnType<ScriptBench["start"]>>;

describe("tensors in the memory of another runner", () => {
  let bench: ScriptBench;

  beforeAll(() => {
    bench = new ScriptBench();
  });

  afterAll(() => bench.close());

  /** Executes on an input where it lies; the response keeps its memory. */
  function double(started: Started, input: TensorRef): Promise<RunnerResponse> {
    const request = {
      id: "",
      outputs: ["Y"],
      parameters: new Map(),
      sequence: undefined,
      timeoutMicroseconds: 0,
      priority: 0,
    };
    return new Promise((resolve) => {
      started.channel.executeRequests(
        { requests: [{ ...request, inputs: [input] }], decoupled: false, arena: undefined },
        { response: (_, response) => resolve(response) },
      );
    });
  }

  function onlyOutput({ outputs: [output] }: RunnerResponse) {
    if (output === undefined) throw new Error("no output");
    return { ref: { ...output.ref, name: "X" }, bytes: output.bytes };
  }

  const floats = (bytes: Uint8Array) => Array.from(new Float32Array(bytes.slice().buffer));

  it("are inputs of the next model without a copy, also after their runner is gone", async () => {
    const first = await bench.start(DOUBLE);
    const second = await bench.start(DOUBLE);
    const { ref } = place(first.runner, "X", [1, 2, 3]);
    const one = await double(first, ref);
    const between = onlyOutput(one);
    expect(second.runner.slab.locate(between.bytes)).toEqual({
      segment: between.ref.segment,
      offset: between.ref.offset,
    });
    first.runner.kill("no longer needed");
    await first.runner.ended();
    const two = await double(second, between.ref);
    expect(floats(onlyOutput(two).bytes)).toEqual([4, 8, 12]);
    const file = segmentRegistry.describe(between.ref.segment)?.path ?? "";
    expect(existsSync(file)).toBe(true);
    one.release();
    two.release();
  });

  it("go from a script to an ONNX model", async () => {
    const script = await bench.start(DOUBLE);
    const onnx = bench.runner();
    const signature = await onnx.load({ file: MODEL, session: SESSION, devices: [], memoryLimitBytes: 0 });
    const [channel] = await onnx.startInstances(1);
    const [input] = signature.inputs;
    const [output] = signature.outputs;
    if (channel === undefined || input === undefined || output === undefined) throw new Error("unexpected model");
    const response = await double(script, place(script.runner, "X", { values: [1, 2], shape: [1, 2] }).ref);
    const arena = onnx.slab.allocate(4096);
    await channel.execute({
      inputs: [{ ...onlyOutput(response).ref, name: input.name }],
      outputs: [{ name: output.name }],
      arena,
    });
    expect(floats(arena.bytes.subarray(0, 8))).toEqual([2, 4]);
    arena.release();
    response.release();
  });

  it("are forgotten by every runner that knew them when they go, and not before", async () => {
    const first = await bench.start(DOUBLE);
    const second = await bench.start(DOUBLE);
    place(first.runner, "X", [0]);
    const large = place(
      first.runner,
      "X",
      Array.from({ length: 300_000 }, () => 1),
    );
    const answer = await double(second, large.ref);
    expect(mappings(second.runner, large.ref.segment)).toBe(1);
    for (let sweep = 0; sweep < 4; sweep++) first.runner.sweep();
    expect(segmentRegistry.describe(large.ref.segment)).toBeDefined();
    const path = segmentRegistry.describe(large.ref.segment)?.path;
    large.block.release();
    for (let sweep = 0; sweep < 4; sweep++) first.runner.sweep();
    expect(segmentRegistry.describe(large.ref.segment)).toBeUndefined();
    expect(existsSync(path ?? "")).toBe(false);
    (await double(second, place(second.runner, "X", [1]).ref)).release();
    expect(mappings(second.runner, large.ref.segment)).toBe(0);
    answer.release();
  });
});

/** How often a process maps a segment's file, deleted or not. */
function mappings(runner: RunnerProcess, segment: number): number {
  const maps = readMaps(runner.pid);
  return maps.filter((line) => new RegExp(`/nereid-[^/]*-${segment}( \\(deleted\\))?$`).test(line)).length;
}

function readMaps(pid: number): string[] {
  return readFileSync(`/proc/${pid}/maps`, "utf8").split("\n");
}
