import { expect, it } from "vitest";
import { FrameParser } from "./frame-parser.ts";

it("leaves what follows a message after which no more is wanted, and goes on from there", () => {
  const seen: number[] = [];
  let room = 2;
  const parser = new FrameParser({
    maxMessageBytes: 10,
    onMessage: ({ bytes }) => {
      seen.push(bytes[0] ?? -1);
      room -= 1;
    },
    more: () => room > 0,
  });
  const frames = Buffer.concat([1, 2, 3, 4].map((value) => Buffer.from([0, 0, 0, 0, 1, value])));
  const rest = parser.push(frames);
  expect(seen).toEqual([1, 2]);
  expect(rest.byteLength).toBe(12);
  room = 10;
  expect(parser.push(rest).byteLength).toBe(0);
  expect(seen).toEqual([1, 2, 3, 4]);
});
