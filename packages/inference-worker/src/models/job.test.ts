import { NereidError } from "@nereid/errors";
import { describe, expect, it } from "vitest";
import { ResponseOrder } from "../scheduler/response-order.ts";
import type { ChainedAnswer } from "./answer-chain.ts";
import { ordered } from "./job.ts";

const MOMENTS = { queueStartNs: 0, computeStartNs: 0, inputEndNs: 0, outputStartNs: 0, endNs: 0 };

function world(keepInMemory: boolean) {
  const order = new ResponseOrder();
  const told: { readonly name: string; readonly bytes: readonly number[] }[] = [];
  const released: string[] = [];
  const sink = (name: string) =>
    ordered(
      order.open(),
      {
        answer: ({ response }) => told.push({ name, bytes: [...(response.outputs[0]?.bytes ?? [])] }),
        fail: () => told.push({ name, bytes: [] }),
      },
      { keepInMemory },
    );
  const answer = (name: string, bytes: Uint8Array): ChainedAnswer => ({
    response: {
      modelName: "m",
      modelVersion: "1",
      id: "",
      outputs: [{ name: "Y", datatype: "UINT8", shape: [bytes.length], bytes }],
    },
    moments: MOMENTS,
    release: () => {
      released.push(name);
      bytes.fill(0);
    },
  });
  return { told, released, sink, answer };
}

describe("ordered()", () => {
  it("gives the memory of an answer that waits back, where room is limited, and tells it all the same", () => {
    const { told, released, sink, answer } = world(true);
    const [first, second] = [sink("first"), sink("second")];
    second.answer(answer("second", Uint8Array.of(2, 2)), true);
    expect([released, told]).toEqual([["second"], []]);
    first.answer(answer("first", Uint8Array.of(1)), true);
    expect(released).toEqual(["second"]);
    expect(told).toEqual([
      { name: "first", bytes: [1] },
      { name: "second", bytes: [2, 2] },
    ]);
  });

  it("copies nothing otherwise", () => {
    const { told, released, sink, answer } = world(false);
    const [first, second] = [sink("first"), sink("second")];
    second.answer(answer("second", Uint8Array.of(2)), true);
    first.fail(new NereidError("INTERNAL", "no"));
    expect(released).toEqual([]);
    expect(told.map(({ name }) => name)).toEqual(["first", "second"]);
  });
});
