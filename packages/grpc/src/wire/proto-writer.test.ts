import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LENGTH, ProtoReader } from "./proto-reader.ts";
import { ProtoWriter, varintSize } from "./proto-writer.ts";

describe("numbers", () => {
  it("come back from their varints, in as many bytes as were foretold", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const writer = new ProtoWriter(1);
        writer.varint(value);
        expect(writer.length).toBe(varintSize(value));
        const reader = new ProtoReader(writer.copy());
        reader.varint();
        expect(reader.lastAsNumber()).toBe(value);
        expect(reader.pos).toBe(reader.end);
      }),
    );
  });

  it("of 64 bits come back with their sign", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const writer = new ProtoWriter(1);
        writer.big(value);
        expect(new ProtoReader(writer.copy()).int64("x")).toBe(value);
        expect(new ProtoReader(writer.copy()).uint64("x")).toBe(BigInt.asUintN(64, value));
      }),
    );
  });
});

describe("nested messages", () => {
  it("keep their content when their length needs more bytes and the buffer has to grow", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", maxLength: 400 }), { maxLength: 6 }),
        fc.nat(64),
        (texts, size) => {
          const writer = new ProtoWriter(size + 1);
          const outer = writer.begin(1);
          for (const text of texts) {
            const inner = writer.begin(2);
            writer.element(3, text);
            writer.end(inner);
          }
          writer.end(outer);
          const reader = new ProtoReader(writer.copy());
          const read: string[] = [];
          expect(reader.next()).toBe(1);
          const end = reader.enter("outer");
          while (reader.next() !== 0) {
            const innerEnd = reader.enter("inner");
            expect([reader.next(), reader.wire]).toEqual([3, LENGTH]);
            read.push(reader.string("text"));
            reader.leave(innerEnd);
          }
          reader.leave(end);
          expect([read, reader.next()]).toEqual([texts.map((text) => Buffer.from(text).toString()), 0]);
        },
      ),
    );
  });
});
