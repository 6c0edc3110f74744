import fc from "fast-check";
import { expect, it } from "vitest";
import { type LoadRecord, RecordBuffer, unpackRecords } from "./load-record.ts";

const ms = fc.double({ min: 0, max: 1e9, noNaN: true }).map(Math.abs);
const record: fc.Arbitrary<LoadRecord> = fc.record({
  dueMs: ms,
  startMs: ms,
  sentMs: ms,
  firstMs: ms,
  endMs: ms,
  ok: fc.boolean(),
  late: fc.boolean(),
  sequenceId: fc.nat(),
  sequenceEnd: fc.boolean(),
  input: fc.nat(),
  outputTokens: fc.nat(),
  responsesMs: fc.array(ms, { maxLength: 5 }),
});

it("gives records back as they were put in, however they are taken", () => {
  fc.assert(
    fc.property(fc.array(fc.array(record, { maxLength: 12 })), (batches) => {
      const buffer = new RecordBuffer();
      for (const batch of batches) {
        for (const one of batch) buffer.add(one);
        expect(unpackRecords(buffer.take())).toEqual(batch);
      }
    }),
  );
});

it("keeps more than it began with room for, and the usual single answer", () => {
  const buffer = new RecordBuffer();
  const [one] = fc.sample(record, 1);
  if (one === undefined) throw new Error("no sample");
  const usual = { ...one, responsesMs: [one.endMs] };
  for (let number = 0; number < 2000; number += 1) buffer.add(usual);
  expect(unpackRecords(buffer.take())).toEqual(Array.from({ length: 2000 }, () => usual));
  expect(buffer.take()).toHaveLength(0);
});
