import { expect, it } from "vitest";
import { recordOf, windowOf } from "./testing/records.ts";
import { isGood, textFigures } from "./text-figures.ts";

/** A text that began after `ttft` and had a piece every `gap`. */
const textOf = (startMs: number, ttft: number, gap: number, pieces: number) => {
  const responsesMs = Array.from({ length: pieces }, (_, at) => startMs + ttft + at * gap);
  return recordOf(startMs, ttft + gap * (pieces - 1), { responsesMs });
};
const window = windowOf(0, 0, { requests: [textOf(0, 100, 10, 11), textOf(200, 200, 20, 11)] });

it("has GenAI-Perf's metrics by its definitions", () => {
  const rows = textFigures(window, { streaming: true, goodput: { ttftMs: 150, itlMs: 50 } });
  const byName = Object.fromEntries(rows.map(({ name, avg }) => [name, Math.round(avg * 1000) / 1000]));
  expect(byName).toEqual({
    "Time to first token (ms)": 150,
    "Time to second token (ms)": 15,
    "Request latency (ms)": 300,
    "Inter token latency (ms)": 15,
    "Output token throughput per user (tokens/sec/user)": 75,
    "Output sequence length (tokens)": 11,
    // From 0 to 600 ms.
    "Output token throughput (tokens/sec)": 36.667,
    "Request throughput (per sec)": 3.333,
    "Request goodput (per sec)": 1.667,
  });
  expect(rows[0]?.spread).toEqual({ min: 100, max: 200, p99: 199, p90: 190, p75: 175 });
});

it("leaves out what only answers in pieces have, and believes the server on tokens", () => {
  const whole = windowOf(0, 0, { requests: [recordOf(0, 500, { outputTokens: 50 })] });
  const names = textFigures(whole, { streaming: false, goodput: undefined }).map(({ name, avg }) => [name, avg]);
  expect(names).toEqual([
    ["Request latency (ms)", 500],
    ["Output sequence length (tokens)", 50],
    ["Output token throughput (tokens/sec)", 100],
    ["Request throughput (per sec)", 2],
  ]);
});

it("counts a request as good from when it was due", () => {
  const late = recordOf(100, 5, { dueMs: 0 });
  expect([isGood(late, { latencyMs: 50 }), isGood(late, { latencyMs: 105 }), isGood(late, { ttftMs: 50 })]).toEqual([
    false,
    true,
    true,
  ]);
});
