import { BUCKET_COUNT, FAILURE_REASONS, mergeSparse, quantileFromSparse } from "@nereid/telemetry";
import fc from "fast-check";
import { expect, it } from "vitest";
import { seriesOf } from "../testing/buckets.ts";
import { packChunk, unpackChunk } from "./chunk-codec.ts";
import { addSums, besideSums, NO_SUMS, type SeriesSums, sumsOf } from "./series-sums.ts";
import { decodeSums, encodeSums } from "./sums-codec.ts";

const count = fc.nat({ max: 1_000_000 });
const ns = fc.maxSafeNat().map((value) => Math.floor(value / 64));
const pairs = (highest: number) =>
  fc
    .dictionary(fc.nat({ max: highest }).map(String), fc.integer({ min: 1, max: 100_000 }), {
      maxKeys: 60,
      noNullPrototype: true,
    })
    .map((counts) => Object.entries(counts).map(([key, value]) => [Number(key), value] as const));
const ascending = (highest: number) => pairs(highest).map((list) => list.sort(([a], [b]) => a - b));
const counts = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 1, max: 1_000 }), { noNullPrototype: true });

const sums: fc.Arbitrary<SeriesSums> = fc.record(
  {
    success: count,
    failure: count,
    inferences: count,
    executions: count,
    pending: count,
    pendingSum: count,
    sumNs: fc.record({ request: ns, queue: ns, computeInput: ns, computeInfer: ns, computeOutput: ns }),
    latency: ascending(BUCKET_COUNT - 1),
    failures: counts(FAILURE_REASONS),
    batchSizes: ascending(512),
    closed: counts(["full", "delay-over", "Größe"]),
    busyNs: ns,
    instances: count,
  },
  { noNullPrototype: true },
);

it("what is encoded comes back as it was", () => {
  fc.assert(
    fc.property(sums, (one) => {
      expect(decodeSums(encodeSums(one))).toEqual(one);
    }),
  );
});

it("parts added up are the whole, in any order, and its percentiles are those of all requests together", () => {
  fc.assert(
    fc.property(fc.array(sums, { minLength: 1, maxLength: 6 }), fc.nat(), (parts, turn) => {
      const cut = turn % (parts.length + 1);
      const whole = parts.reduce(addSums, NO_SUMS);
      const halves = addSums(parts.slice(0, cut).reduce(addSums, NO_SUMS), parts.slice(cut).reduce(addSums, NO_SUMS));
      expect(halves).toEqual(whole);
      expect(parts.toReversed().reduce(addSums, NO_SUMS)).toEqual(whole);
      const merged = mergeSparse(parts.map(({ latency }) => latency));
      for (const q of [0.5, 0.95, 0.99]) {
        expect(quantileFromSparse(decodeSums(encodeSums(whole)).latency, q)).toBe(quantileFromSparse(merged, q));
      }
      expect(whole.pending).toBe(Math.max(...parts.map(({ pending }) => pending)));
      expect(parts.reduce(besideSums).pending).toBe(parts.reduce((sum, { pending }) => sum + pending, 0));
    }),
    { numRuns: 50 },
  );
});

it("bytes that end too early are refused", () => {
  const bytes = encodeSums(sumsOf(seriesOf("m", [1, 2, 3])));
  expect(() => decodeSums(bytes.subarray(0, bytes.length - 4))).toThrow(RangeError);
});

/** Numbers from 0 to 1 without a pattern that gzip could find, the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a busy model does in a step: most requests around 4 ms, one of a hundred much later. */
function busyStep(seed: number, requests: number): SeriesSums {
  const random = randomNumbers(seed);
  const latency = Array.from({ length: requests }, () => {
    const bell = random() + random() + random() + random() - 2;
    return 4 * Math.exp(bell * 0.7) * (random() < 0.01 ? 6 : 1);
  });
  const sums = sumsOf(
    seriesOf("m", latency, { failures: { REJECTED: seed % 3 }, instances: 2, busyNs: random() * 1e9 }),
  );
  return {
    ...sums,
    latency: mergeSparse(latency.map((ms) => seriesOf("m", [ms]).latency)),
    batchSizes: [1, 2, 3, 4, 8].map((size) => [size, Math.ceil(random() * requests)]),
    closed: { full: Math.ceil(random() * requests), "delay-over": Math.ceil(random() * requests) },
  };
}

it("chunks come back, and the size of the whole history is known", async () => {
  let model = 0;
  for (const { step, points, chunks } of [
    { step: 1, points: 60, chunks: 60 },
    { step: 10, points: 60, chunks: 144 },
    { step: 60, points: 60, chunks: 720 },
  ]) {
    const packed = Array.from({ length: points }, (_, i) => ({
      t: 3_600 + i * step,
      bytes: encodeSums(busyStep(i + step, 50 * step)),
    }));
    const place = { start: 3_600, step };
    const data = await packChunk(packed, place);
    expect(await unpackChunk(data, place)).toEqual(packed);
    model += data.length * chunks;
  }
  // 50 requests a second, day and night; docs/observability.md tells what 200 such models take.
  process.stdout.write(`history of one busy model: ${(model / 2 ** 20).toFixed(1)} MiB\n`);
  expect(model).toBeLessThan(12 * 2 ** 20);
});
