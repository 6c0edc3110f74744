import { decodeInferMessage, toInferRequest } from "@nereid/grpc";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LoadSpec, shareOf } from "./load-spec.ts";
import { requestSource } from "./request-source.ts";

const target: LoadSpec["target"] = {
  protocol: "http",
  host: "127.0.0.1",
  port: 8000,
  model: "a b",
  version: "",
  streaming: false,
  decoupled: false,
  headers: { "X-Key": "v" },
  jsonInput: false,
  jsonOutput: false,
  compression: "none",
};
const step = (value: number) => ({
  kind: "tensors" as const,
  inputs: [
    { name: "IN", datatype: "UINT8", shape: [1], data: { kind: "bytes" as const, bytes: Uint8Array.of(value) } },
  ],
});
const plain: LoadSpec = {
  target,
  streams: [[step(65), step(66)], [step(67)]],
  outputs: [],
  parameters: new Map([["p", 7n]]),
  sequences: undefined,
  shape: { kind: "closed", concurrency: 2 },
  share: { index: 0, of: 1 },
  seed: 1,
  total: undefined,
};
const sequences = { length: undefined, variation: 0, firstId: 10, endId: undefined, concurrent: 4 };

describe("requestSource()", () => {
  it("makes whole HTTP requests, step after step", () => {
    const source = requestSource(plain);
    const texts = Array.from({ length: 4 }, () => Buffer.from(source.next()?.bytes ?? []).toString("latin1"));
    expect(texts[0]).toContain("POST /v2/models/a%20b/infer HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n");
    expect(texts[0]).toContain("X-Key: v\r\n");
    expect(texts[0]).toContain('"parameters":{"p":7,"binary_data_output":true}');
    expect(texts[0]).toMatch(/Inference-Header-Content-Length: \d+\r\n/);
    expect(texts.map((text) => text.at(-1))).toEqual(["A", "B", "C", "A"]);
  });

  it("makes framed gRPC messages, packed where wanted", () => {
    const grpc = { ...plain, target: { ...target, protocol: "grpc" as const, version: "3", decoupled: true } };
    const bytes = requestSource(grpc).next()?.bytes ?? new Uint8Array();
    const message = decodeInferMessage(bytes.subarray(5));
    expect([message.modelName, message.modelVersion]).toEqual(["a b", "3"]);
    expect(toInferRequest(message).request.inputs.map(({ name }) => name)).toEqual(["IN"]);
    const packed = requestSource({ ...grpc, target: { ...grpc.target, compression: "gzip" } }).next()?.bytes;
    expect([packed?.[0], packed?.[5], packed?.[6]]).toEqual([1, 0x1f, 0x8b]);
  });

  it("knows how to end the sequences that are left in the middle, and only those (their places stayed taken on the server)", () => {
    const source = requestSource({ ...plain, sequences });
    expect(source.ends()).toEqual([]);
    const first = source.next();
    first?.done();
    const [end, ...others] = source.ends().map((bytes) => Buffer.from(bytes).toString("latin1"));
    expect(others).toEqual([]);
    expect(end).toContain(`"sequence_id":${first?.sequenceId}`);
    expect(end).toContain('"sequence_end":true');
    expect(end).not.toContain('"sequence_start":true');
    expect(source.ends()).toEqual([]);
  });

  it("goes through streams as sequences: own ids, start and end, one request at a time in each", () => {
    const source = requestSource({ ...plain, sequences });
    const first = source.next();
    const other = source.next();
    expect(source.next()).toBeUndefined();
    expect([first?.sequenceId, first?.sequenceEnd, other?.sequenceId, other?.sequenceEnd]).toEqual([
      10,
      false,
      11,
      true,
    ]);
    expect(Buffer.from(first?.bytes ?? []).toString("latin1")).toContain(
      '"sequence_id":10,"sequence_start":true,"sequence_end":false',
    );
    first?.done();
    const second = source.next();
    expect([second?.sequenceId, second?.input, second?.sequenceEnd]).toEqual([10, 1, true]);
    second?.done();
    expect(source.next()?.sequenceId).toBe(12);
  });

  it("keeps ids in their range and apart, and lengths within their variation", () => {
    const ranged = { ...sequences, length: 10, variation: 0.2, endId: 14 };
    const seen = [0, 1].map((index) => {
      const source = requestSource({ ...plain, sequences: ranged, share: { index, of: 2 } });
      const sent = new Map<number, number>();
      const lengths = new Set<number>();
      for (let number = 0; number < 1000; number += 1) {
        const request = source.next();
        if (request === undefined) throw new Error("no sequence is free");
        const count = (sent.get(request.sequenceId) ?? 0) + 1;
        sent.set(request.sequenceId, request.sequenceEnd ? 0 : count);
        if (request.sequenceEnd) lengths.add(count);
        request.done();
      }
      return { ids: [...sent.keys()].toSorted(), lengths: [...lengths].toSorted((a, b) => a - b) };
    });
    const lengths = [8, 9, 10, 11, 12];
    expect(seen).toEqual([
      { ids: [10, 12], lengths },
      { ids: [11, 13], lengths },
    ]);
  });
});

it("shareOf() divides a whole without a rest", () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 16 }), (whole, of) => {
      const parts = Array.from({ length: of }, (_, index) => shareOf(whole, { index, of }));
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole);
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
    }),
  );
});
