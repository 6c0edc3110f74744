import fc from "fast-check";
import { expect, it } from "vitest";
import { HttpAnswerParser } from "./http-answer-parser.ts";

interface Seen {
  status: number;
  body: string;
  reusable: boolean | undefined;
}

function reader() {
  const seen: Seen[] = [];
  const last = () => seen.at(-1) ?? { status: 0, body: "", reusable: undefined };
  const parser = new HttpAnswerParser({
    onHead: (status) => seen.push({ status, body: "", reusable: undefined }),
    onBody: (chunk) => {
      last().body += chunk.toString("latin1");
    },
    onEnd: (reusable) => {
      last().reusable = reusable;
    },
  });
  return { parser, seen };
}

const text = fc.string({ maxLength: 40 });
const sized = text.map((body) => ({
  wire: `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  body,
}));
const chunked = fc
  .array(
    text.filter((part) => part !== ""),
    { maxLength: 4 },
  )
  .map((parts) => ({
    wire: `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`).join("")}0\r\n\r\n`,
    body: parts.join(""),
  }));

it("reads answers however their bytes are cut", () => {
  const answers = fc.array(fc.oneof(sized, chunked), { maxLength: 5 });
  fc.assert(
    fc.property(answers, fc.array(fc.integer({ min: 1, max: 30 })), (sent, cuts) => {
      const { parser, seen } = reader();
      let rest = Buffer.from(sent.map(({ wire }) => wire).join(""));
      for (const cut of cuts) {
        parser.push(rest.subarray(0, cut));
        rest = rest.subarray(cut);
      }
      parser.push(rest);
      expect(seen.map(({ body }) => Buffer.from(body, "latin1").toString())).toEqual(sent.map(({ body }) => body));
      expect(seen.every(({ status, reusable }) => status === 200 && reusable === true)).toBe(true);
    }),
  );
});

it("skips 1xx, sees that a connection ends, and refuses what is no HTTP", () => {
  const { parser, seen } = reader();
  parser.push(
    Buffer.from("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
  );
  parser.push(Buffer.from("HTTP/1.0 200 OK\r\n\r\nabc"));
  expect(parser.endsWithConnection).toBe(true);
  expect(seen).toEqual([
    { status: 503, body: "", reusable: false },
    { status: 200, body: "abc", reusable: undefined },
  ]);
  expect(() => reader().parser.push(Buffer.from("SSH-2.0-x\r\n\r\n"))).toThrow("no HTTP/1.1");
});
