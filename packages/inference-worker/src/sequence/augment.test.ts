import { describe, expect, it } from "vitest";
import { augment, stripStates } from "./augment.ts";
import type { ControlSpec } from "./control-inputs.ts";
import { ImplicitState, type StateSpec } from "./implicit-state.ts";
import { policyOf, requestOf, tensorOf } from "./testing/sequence-world.ts";

const X = tensorOf("X", "FP32", [2]);
const TEXT = tensorOf("T", "BYTES", [2]);
const Y = tensorOf("Y", "FP32", [2]);
const SEEN = tensorOf("SEEN", "INT32", [1]);
const READY = tensorOf("READY", "INT32", [1]);

const controls: ControlSpec[] = [
  {
    kind: "ready",
    tensor: READY,
    off: { spec: READY, shape: [1, 1], bytes: Uint8Array.of(0, 0, 0, 0) },
    on: { spec: READY, shape: [1, 1], bytes: Uint8Array.of(1, 0, 0, 0) },
  },
];
const states: StateSpec[] = [
  {
    input: tensorOf("A", "INT32", [-1]),
    output: tensorOf("A_OUT", "INT32", [-1]),
    visible: false,
    initial: { shape: [1], bytes: Uint8Array.of(7, 0, 0, 0) },
  },
  {
    input: tensorOf("B", "INT32", [1]),
    output: SEEN,
    visible: true,
    initial: { shape: [1], bytes: Uint8Array.of(8, 0, 0, 0) },
  },
];
const policy = policyOf({ controls, states });
const request = requestOf({
  id: "r",
  inputs: [
    { spec: X, shape: [1, 2], bytes: new Uint8Array(8).fill(5) },
    { spec: TEXT, shape: [1, 2], bytes: Uint8Array.of(1, 0, 0, 0, 65, 1, 0, 0, 0, 66) },
  ],
  outputs: [Y],
  shapeKey: "k",
  sequence: { id: 3n, start: true, end: false },
});

function turn(ready: boolean) {
  const state = new ImplicitState(states, true);
  return { slot: 0, id: ready ? 3n : 0n, start: ready, end: false, ready, state };
}

describe("augment()", () => {
  it("adds controls and states, and asks for the states", () => {
    const made = augment(request, { kind: "request", place: turn(true) }, policy);
    expect(made.inputs.map(({ spec, shape, bytes }) => [spec.name, shape, bytes[0]])).toEqual([
      ["X", [1, 2], 5],
      ["T", [1, 2], 1],
      ["READY", [1, 1], 1],
      ["A", [1, 1], 7],
      ["B", [1, 1], 8],
    ]);
    expect(made.outputs.map(({ name }) => name)).toEqual(["Y", "A_OUT", "SEEN"]);
    expect(made).toMatchObject({ id: "r", batchSize: 1, byteLength: 30, shapeKey: "k|1" });
  });

  it("asks for a visible state once, and shares the list among requests that ask for the same", () => {
    const both = { ...request, outputs: [Y, SEEN] };
    const entry = { kind: "request", place: turn(true) } as const;
    expect(augment(both, entry, policy).outputs.map(({ name }) => name)).toEqual(["Y", "SEEN", "A_OUT"]);
    expect(augment(both, entry, policy).outputs).toBe(augment(both, entry, policy).outputs);
    expect(augment(request, entry, policyOf()).outputs).toBe(request.outputs);
  });

  it("makes a null request of the shapes of a real one, with zeros and without outputs", () => {
    const made = augment(request, { kind: "null", place: turn(false) }, policy);
    expect(made.inputs.map(({ spec, shape, bytes }) => [spec.name, shape, [...bytes]])).toEqual([
      ["X", [1, 2], new Array(8).fill(0)],
      ["T", [1, 2], new Array(8).fill(0)],
      ["READY", [1, 1], [0, 0, 0, 0]],
      ["A", [1, 1], [0, 0, 0, 0]],
      ["B", [1, 1], [0, 0, 0, 0]],
    ]);
    expect(made).toMatchObject({ outputs: [], batchSize: 1, sequence: undefined, byteLength: 28 });
  });
});

describe("stripStates()", () => {
  const outputs = ["Y", "A_OUT", "SEEN"].map((name) => ({
    name,
    datatype: "INT32",
    shape: [1],
    bytes: new Uint8Array(4),
  }));

  it("hides the states the client did not ask for", () => {
    expect(stripStates(outputs, request).map(({ name }) => name)).toEqual(["Y"]);
    expect(stripStates(outputs, { ...request, outputs: [SEEN] }).map(({ name }) => name)).toEqual(["SEEN"]);
  });
});

describe("ImplicitState", () => {
  const produced = (name: string, shape: number[], bytes: Uint8Array) => ({ name, datatype: "INT32", shape, bytes });

  it("copies what the model gave and keeps its shape", () => {
    const state = new ImplicitState(states, true);
    const memory = Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0);
    state.update([produced("A_OUT", [1, 2], memory)]);
    memory.fill(99);
    expect(state.inputs().map(({ shape, bytes }) => [shape, [...bytes]])).toEqual([
      [
        [1, 2],
        [1, 0, 0, 0, 2, 0, 0, 0],
      ],
      [
        [1, 1],
        [8, 0, 0, 0],
      ],
    ]);
    expect(state.shapeKey).toBe("|2");
    state.reset();
    expect(state.inputs()[0]).toMatchObject({ shape: [1, 1], bytes: Uint8Array.of(7, 0, 0, 0) });
    expect(state.shapeKey).toBe("|1");
  });

  it("leaves what was given to an execution as it was", () => {
    const state = new ImplicitState(states, false);
    const [given] = state.inputs();
    state.update([produced("A_OUT", [1], Uint8Array.of(3, 0, 0, 0))]);
    expect(given).toMatchObject({ shape: [1], bytes: Uint8Array.of(7, 0, 0, 0) });
    expect(state.inputs()[0]).toMatchObject({ shape: [1], bytes: Uint8Array.of(3, 0, 0, 0) });
  });

  it("takes a visible state whose output is reshaped for clients in the model's own shape", () => {
    const output = { ...tensorOf("O", "INT32", [4]), modelDims: [2, 2] };
    const initial = { shape: [2, 2], bytes: new Uint8Array(16) };
    const state = new ImplicitState([{ input: tensorOf("I", "INT32", [2, 2]), output, visible: true, initial }], true);
    state.update([produced("O", [1, 4], new Uint8Array(16))]);
    expect(state.inputs()[0]?.shape).toEqual([1, 2, 2]);
  });
});
