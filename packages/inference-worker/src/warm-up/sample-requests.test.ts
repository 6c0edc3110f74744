import { describe, expect, it } from "vitest";
import type { ModelSpec } from "../models/model-spec.ts";
import type { SequencePolicy } from "../sequence/sequence-policy.ts";
import { policyOf } from "../sequence/testing/sequence-world.ts";
import type { SampleInput } from "./compile-samples.ts";
import { sampleRequests } from "./sample-requests.ts";
import { specOf, tensor } from "./testing/spec-of.ts";

const value = (name: string, dims: readonly number[], ...bytes: number[]): SampleInput => ({
  name,
  datatype: "UINT8",
  dims,
  bytes: Uint8Array.from(bytes),
});
const sample = (batchSize: number, ...inputs: SampleInput[]) => ({ name: "s", count: 1, batchSize, inputs });

function sequences(fields: Partial<SequencePolicy>): ModelSpec {
  return { ...specOf(4, tensor("X", [1])), scheduling: { kind: "sequence", policy: policyOf(fields) } };
}

const flag = (kind: "start" | "end" | "ready") => {
  const spec = tensor(kind.toUpperCase(), [1]);
  const one = (byte: number) => ({ spec, shape: [1, 1], bytes: Uint8Array.of(byte) });
  return { kind, tensor: spec, off: one(0), on: one(1) };
};
const inputsOf = (request: {
  inputs: readonly { spec: { name: string }; shape: readonly number[]; bytes: Uint8Array }[];
}) => request.inputs.map(({ spec, shape, bytes }) => [spec.name, shape, [...bytes]]);

describe("sampleRequests()", () => {
  it("makes as many requests of one item as the batch has", () => {
    const requests = sampleRequests(specOf(4, tensor("X", [2])), sample(3, value("X", [2], 1, 2)));
    expect(requests.map(({ request }) => inputsOf(request))).toEqual(Array(3).fill([["X", [1, 2], [1, 2]]]));
    const [single] = sampleRequests(specOf(0, tensor("X", [2])), sample(1, value("X", [2], 1, 2)));
    expect(single && inputsOf(single.request)).toEqual([["X", [2], [1, 2]]]);
  });

  it("refuses inputs that are missing, foreign, or of another shape", () => {
    const spec = specOf(0, tensor("X", [2]));
    expect(() => sampleRequests(spec, sample(1))).toThrow("missing required input(s) ['X']");
    expect(() => sampleRequests(spec, sample(1, value("Z", [2], 1, 2)))).toThrow("unexpected inference input 'Z'");
    expect(() => sampleRequests(spec, sample(1, value("X", [1], 1)))).toThrow("unexpected shape for input 'X'");
  });

  it("makes every request of a batch a sequence of its own, with controls and states", () => {
    const state = tensor("STATE_IN", [2]);
    const spec = sequences({
      controls: [flag("start"), flag("end"), flag("ready")],
      states: [
        {
          input: state,
          output: tensor("STATE_OUT", [2]),
          visible: false,
          initial: { shape: [2], bytes: Uint8Array.of(7, 8) },
        },
      ],
    });
    const requests = sampleRequests(spec, sample(2, value("X", [1], 5)));
    expect(requests.map(({ turn }) => [turn?.slot, turn?.id])).toEqual([
      [0, 1n],
      [1, 2n],
    ]);
    for (const { request, own } of requests) {
      expect(inputsOf(request)).toEqual([
        ["X", [1, 1], [5]],
        ["START", [1, 1], [1]],
        ["END", [1, 1], [1]],
        ["READY", [1, 1], [1]],
        ["STATE_IN", [1, 2], [7, 8]],
      ]);
      expect(inputsOf(own)).toEqual([["X", [1, 1], [5]]]);
    }
  });

  it("takes a sample's own values for what the server would add", () => {
    const spec = sequences({ controls: [flag("start")] });
    const [made] = sampleRequests(spec, sample(1, value("X", [1], 5), value("START", [1], 0)));
    expect(made && inputsOf(made.request)[1]).toEqual(["START", [1, 1], [0]]);
    const wrong = sample(1, value("X", [1], 5), value("START", [2], 0, 0));
    expect(() => sampleRequests(spec, wrong)).toThrow("the value of input 'START' is UINT8 of 2 bytes");
  });
});
