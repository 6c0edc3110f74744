import { NereidError } from "@nereid/errors";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FramedMessage, FrameParser } from "./frame-parser.ts";
import { frameHeader } from "./frame-prefix.ts";

const framed = (bytes: Uint8Array, compressed = false) =>
  Buffer.concat([frameHeader(bytes.byteLength, compressed), bytes]);

function parserOf(maxMessageBytes = 1 << 20, place?: (length: number) => Uint8Array | undefined) {
  const messages: FramedMessage[] = [];
  const parser = new FrameParser({
    maxMessageBytes,
    onMessage: (message) => messages.push(message),
    ...(place !== undefined && { place }),
  });
  return { parser, messages };
}

describe("FrameParser", () => {
  it("gives the messages back however the bytes are cut", () => {
    const message = fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), fc.array(fc.nat(40)), fc.boolean(), (sent, cuts, offer) => {
        const { parser, messages } = parserOf(1000, offer ? (length) => new Uint8Array(length) : undefined);
        let rest = Buffer.concat(sent.map(([bytes, compressed]) => framed(bytes, compressed)));
        for (const cut of cuts) {
          parser.push(rest.subarray(0, cut));
          rest = rest.subarray(cut);
        }
        parser.push(rest);
        expect(parser.inside).toBe(false);
        expect(messages.map(({ bytes, compressed }) => [Buffer.from(bytes).toString("hex"), compressed])).toEqual(
          sent.map(([bytes, compressed]) => [Buffer.from(bytes).toString("hex"), compressed]),
        );
      }),
    );
  });

  it("does not copy a message that comes whole", () => {
    const { parser, messages } = parserOf();
    const chunk = framed(Buffer.from("abc"));
    parser.push(chunk);
    expect(messages[0]?.bytes.buffer).toBe(chunk.buffer);
  });

  it("receives a message in parts where it was told to, told of its beginning", () => {
    const room = new Uint8Array(6);
    const heads: string[] = [];
    const messages: FramedMessage[] = [];
    const parser = new FrameParser({
      maxMessageBytes: 100,
      onMessage: (message) => messages.push(message),
      place: (length, head, compressed) => {
        heads.push(`${length} ${Buffer.from(head).toString()} ${compressed}`);
        return room;
      },
    });
    const bytes = framed(Buffer.from("abcdef"), true);
    parser.push(bytes.subarray(0, 7));
    expect([parser.inside, messages]).toEqual([true, []]);
    parser.push(bytes.subarray(7));
    expect(heads).toEqual(["6 ab true"]);
    expect(messages[0]?.bytes.buffer).toBe(room.buffer);
    expect(Buffer.from(room).toString()).toBe("abcdef");
  });

  it("checks the limit on the prefix, before it asks for memory", () => {
    const { parser, messages } = parserOf(10, () => {
      throw new Error("asked for memory");
    });
    expect(() => parser.push(frameHeader(11))).toThrow("Received message larger than max (11 vs. 10)");
    expect(messages).toEqual([]);
    try {
      parserOf(10).parser.push(frameHeader(2 ** 32 - 1));
    } catch (error) {
      expect(NereidError.from(error).code).toBe("PAYLOAD_TOO_LARGE");
    }
    expect.assertions(3);
  });

  it("takes memory as the bytes come, not as they are announced", () => {
    const { parser, messages } = parserOf(2 ** 32);
    const length = 20 << 20;
    parser.push(frameHeader(length));
    const part = Buffer.alloc(1 << 20, 5);
    for (let index = 0; index < 20; index += 1) parser.push(part);
    expect(messages[0]?.bytes.byteLength).toBe(length);
    expect(messages[0]?.bytes[length - 1]).toBe(5);
  });

  it("refuses a flag that is neither 0 nor 1, and throws nothing but its own errors on any bytes", () => {
    expect(() => parserOf().parser.push(Uint8Array.of(2, 0, 0, 0, 0))).toThrow(/compression flag 2/);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        try {
          parserOf(1000).parser.push(bytes);
        } catch (error) {
          expect(["INTERNAL", "PAYLOAD_TOO_LARGE"]).toContain((error as NereidError).code);
          expect(error).toBeInstanceOf(NereidError);
        }
      }),
    );
  });
});
