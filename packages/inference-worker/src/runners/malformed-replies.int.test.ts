import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute, ScriptBench, SESSION } from "../runner/testing/script-bench.ts";

const FAKE = fileURLToPath(new URL("./testing/fake-runner.mjs", import.meta.url));
const OUTPUT = { name: "Y", datatype: "FP32", shape: [1], byteLength: 4 };
const FINAL = { type: "respond", request: 0, outputs: [], final: true };
const RETURNED = { type: "returned", inferStartNs: 1, inferEndNs: 2 };

describe("a runner whose replies are not as the protocol says", () => {
  let bench: ScriptBench;

  beforeAll(() => {
    bench = new ScriptBench();
  });

  afterAll(() => bench.close());

  async function answerWith(replies: readonly unknown[], how: { decoupled?: boolean; arenaBytes?: number }) {
    const runner = bench.runner({ program: process.execPath, args: [FAKE, JSON.stringify(replies)] });
    await runner.load({ file: "/", session: SESSION, devices: [], memoryLimitBytes: 0 });
    const [channel] = await runner.startInstances(1);
    if (channel === undefined) throw new Error("no instance");
    const other = runner.slab.allocate(64);
    return { runner, other, execution: execute({ runner, channel }, [{}], { arenaBytes: 64, ...how }) };
  }

  it("is believed while they are", async () => {
    const { execution } = await answerWith([{ ...FINAL, outputs: [OUTPUT] }, RETURNED], {});
    expect(await execution.single()).toEqual([{ outputs: { Y: [0] }, final: true }]);
    expect(await execution.returned).toEqual({ inferStartNs: 1, inferEndNs: 2 });
  });

  it("may ask for more room than there is: that request fails alone", async () => {
    const room = { type: "room", request: 0, response: 0, byteLength: 2 ** 50 };
    const { execution } = await answerWith([room, FINAL, RETURNED], { decoupled: true });
    const [responses] = await execution.all();
    expect(responses).toEqual([{ outputs: {}, error: expect.anything(), final: true }]);
    await execution.returned;
    expect(execution.seen[0]?.length).toBe(1);
  });

  it.each<[string, readonly unknown[], RegExp, { decoupled?: boolean }?]>([
    ["an unknown request", [{ ...FINAL, request: 1 }], /execution 1 has no request 1/],
    ["a request that is no index", [{ ...FINAL, request: "length" }], /has no request length/],
    ["an execution that is not open", [{ ...FINAL, id: 77 }], /'respond' for execution 77, which is not open/],
    ["a response after the final one", [FINAL, FINAL], /request 0 of execution 1 already had its final response/],
    [
      "a room after the final response",
      [FINAL, { type: "room", request: 0, response: 0, byteLength: 1 }],
      /already had/,
    ],
    ["a reply after the end", [FINAL, RETURNED, FINAL], /which is not open/],
    ["two returns", [RETURNED, RETURNED], /returned twice/],
    ["a return without times", [{ type: "returned" }], /without its times/],
    ["a second response of a model that gives one", [{ ...FINAL, final: false }], /takes a single response/],
    ["room of no size", [{ type: "room", request: 0, response: 0, byteLength: -1 }], /malformed/, { decoupled: true }],
    ["a response in room it was not granted", [{ ...FINAL, response: 5 }], /response 5 was not granted room/],
    ["another type of answer", [{ type: "executed", outputs: [] }], /'executed' does not answer/],
    ["no message at all", [null], /broke the runner protocol/],
    ["a response without outputs", [{ type: "respond", request: 0, final: true, outputs: 3 }], /malformed/],
    ["a parameter that is none", [{ ...FINAL, parameters: { p: [1] } }], /parameter 'p' is no text/],
    ["an output without datatype", [{ ...FINAL, outputs: [{ ...OUTPUT, datatype: "FP31" }] }], /malformed/],
    ["an output without shape", [{ ...FINAL, outputs: [{ ...OUTPUT, shape: [-1] }] }], /no valid shape/],
    ["an output of the wrong size", [{ ...FINAL, outputs: [{ ...OUTPUT, shape: [3] }] }], /4 bytes for shape \[3\]/],
    ["an output beyond its memory", [{ ...FINAL, outputs: [{ ...OUTPUT, skip: 64 }] }], /memory granted/],
    ["an output before its memory", [{ ...FINAL, outputs: [{ ...OUTPUT, skip: -64 }] }], /memory granted/],
    ["an output that is not aligned", [{ ...FINAL, outputs: [{ ...OUTPUT, skip: 2 }] }], /memory granted/],
    ["an output of no place", [{ ...FINAL, outputs: [{ ...OUTPUT, segment: "x" }] }], /memory granted/],
    [
      "texts that end too early",
      [{ ...FINAL, outputs: [{ name: "Y", datatype: "BYTES", shape: [2], byteLength: 4 }] }],
      /4 bytes for shape \[2\]/,
    ],
  ])("is ended for %s, and reads nothing it should not", async (_, replies, reason, how = {}) => {
    const { runner, execution } = await answerWith(replies, how);
    await runner.ended();
    expect(runner.exitReason).toMatch(/broke the runner protocol/);
    expect(runner.exitReason).toMatch(reason);
    const [responses] = await execution.all();
    expect(responses?.filter(({ final }) => final).length).toBe(1);
  });
});
