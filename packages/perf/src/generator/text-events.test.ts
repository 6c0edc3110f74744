import { expect, it } from "vitest";
import { TextAnswer } from "./text-answer.ts";
import { TextEvents } from "./text-events.ts";

const event = (piece: unknown) => Buffer.from(`data: ${JSON.stringify(piece)}\n\n`);

it("counts pieces with text at the time they came, and believes the server on tokens", () => {
  const events = new TextEvents();
  events.push(event({ choices: [{ delta: { role: "assistant", content: "" } }] }), 1);
  events.push(event({ choices: [{ delta: { content: "Hel" } }] }), 2);
  const second = event({ choices: [{ text: "lo ü" }] });
  events.push(second.subarray(0, 10), 3);
  events.push(second.subarray(10), 4);
  events.push(event({ choices: [{ delta: {}, finish_reason: "stop" }], usage: { completion_tokens: 7 } }), 5);
  events.push(Buffer.from("data: [DONE]\n\ndata: {broken\n\n"), 6);
  expect([events.timesMs, events.outputTokens, events.error]).toEqual([[2, 4], 7, undefined]);
});

it("sees a failure in the middle of a stream", () => {
  const events = new TextEvents();
  events.push(event({ error: { message: "out of memory" } }), 1);
  expect(events.error).toContain("out of memory");
});

it("reads a whole text, and refuses what is none", () => {
  const whole = new TextAnswer();
  const body = Buffer.from('{"choices": [{"text": "a"}], "usage": {"completion_tokens": 9}}');
  whole.push(body.subarray(0, 20));
  whole.push(body.subarray(20));
  whole.finish(5);
  expect([whole.timesMs, whole.outputTokens, whole.error]).toEqual([[5], 9, undefined]);
  const none = new TextAnswer();
  none.push(Buffer.from("<html>"));
  none.finish(5);
  expect(none.error).toContain("no choices");
});
