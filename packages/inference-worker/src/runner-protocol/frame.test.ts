import type { Socket } from "node:net";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { FrameReader, writeFrame } from "./frame.ts";

function encode(messages: readonly object[]): Buffer {
  const written: Buffer[] = [];
  const socket = { write: (chunk: Buffer) => written.push(chunk) } as unknown as Socket;
  for (const message of messages) writeFrame(socket, message);
  return Buffer.concat(written);
}

describe("FrameReader", () => {
  it("gives back every message however the bytes are cut", () => {
    const messages = fc.array(fc.record({ type: fc.string({ unit: "grapheme" }), id: fc.nat() }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(
        messages,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 50 }),
        (sent, cuts) => {
          const received: unknown[] = [];
          const reader = new FrameReader((message) => received.push(message));
          let bytes = encode(sent);
          for (let turn = 0; bytes.length > 0; turn++) {
            const length = cuts[turn % cuts.length] ?? 1;
            reader.push(bytes.subarray(0, length));
            bytes = bytes.subarray(length);
          }
          expect(received).toEqual(sent);
        },
      ),
    );
  });

  it("joins the pieces of a long message once, not with every piece", () => {
    const bytes = encode([{ text: "x".repeat(8 << 20) }]);
    const received: unknown[] = [];
    const reader = new FrameReader((message) => received.push(message));
    const concat = vi.spyOn(Buffer, "concat");
    for (let at = 0; at < bytes.length; at += 1 << 16) reader.push(bytes.subarray(at, at + (1 << 16)));
    const joined = concat.mock.calls.length;
    concat.mockRestore();
    expect(received).toHaveLength(1);
    expect(joined).toBeLessThanOrEqual(2);
  });

  it("refuses a frame longer than the protocol allows", () => {
    const header = Buffer.alloc(4);
    header.writeUInt32LE(0xffff_ffff);
    expect(() => new FrameReader(() => undefined).push(header)).toThrow(RangeError);
  });
});
