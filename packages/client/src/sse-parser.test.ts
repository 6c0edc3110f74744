import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SseEvent, SseParser } from "./index.ts";

const parse = (...pieces: string[]): SseEvent[] => {
  const parser = new SseParser();
  return pieces.flatMap((piece) => parser.push(piece));
};

const STREAM =
  "\ufeff: hello\r\nid: 5\ndata: one\ndata:two\r\n\r\nevent: tick\rdata\r\rid: bad\0id\ndata:  x\nretry: 10\nnofield\n\n\n\nevent: lost\n\ndata: open";

describe("SseParser", () => {
  it("reads fields, comments, line ends and multi-line data", () => {
    expect(parse(STREAM)).toEqual([
      { id: "5", type: "message", data: "one\ntwo" },
      { id: "5", type: "tick", data: "" },
      { id: "5", type: "message", data: " x" },
    ]);
  });

  it("does not care how the stream is cut", () => {
    const whole = parse(STREAM);
    fc.assert(
      fc.property(fc.array(fc.nat(STREAM.length)), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length];
        const pieces = at.slice(1).map((end, index) => STREAM.slice(at[index], end));
        expect(parse(...pieces)).toEqual(whole);
      }),
    );
  });
});

it("an event without end is given up before it fills the memory", () => {
  const parser = new SseParser();
  const piece = "x".repeat(8 * 1024 * 1024);
  parser.push("data: ");
  const feed = () => {
    for (let i = 0; i < 5; i++) parser.push(piece);
  };
  expect(feed).toThrow(expect.objectContaining({ code: "UNAVAILABLE" }));
});
