import type { FlightRecord } from "@nereid/client";
import { expect, it } from "vitest";
import { partsOf, storyOf } from "./request-story.ts";

const MS = 1e6;
const record: FlightRecord = {
  serial: 7,
  id: "r",
  model: "m",
  version: "1",
  causes: ["slow"],
  atMs: 0,
  outcome: "answered",
  totalNs: 10 * MS,
  queue: { position: 3, waitedNs: 6 * MS, priority: 0 },
  batch: { serial: 1, requests: 2, size: 3, reason: "delay-over", leftWaiting: 0, mates: ["#6"] },
  phases: { inputNs: MS, inferNs: 2 * MS, outputNs: MS },
  bytes: { input: 100, output: 40, copied: 100 },
  shapes: [],
};
const phases = (inputNs: number, inferNs: number, outputNs: number) => ({
  queue: { ...record.queue, waitedNs: 0 },
  phases: { inputNs, inferNs, outputNs },
});

it.each<[string, Partial<FlightRecord>, RegExp]>([
  [
    "queue",
    {},
    /^Of 10\.0 ms it waited 6\.00 ms \(60 %\) in the queue behind 3 other requests\. .*waited for the whole delay\.$/,
  ],
  ["alone in the queue", { queue: { position: 0, waitedNs: 6 * MS, priority: 0 } }, /in the queue\. Its batch/],
  ["infer", phases(0, 9 * MS, 0), /computed for 9\.00 ms \(90 %\), in a batch of 3 from 2 requests\.$/],
  [
    "first of its shape",
    {
      ...phases(0, 9 * MS, 0),
      batch: { serial: 1, requests: 1, size: 1, reason: "full", leftWaiting: 0, mates: [], first: true },
    },
    /, alone\. It was the first of its size and shape/,
  ],
  ["input", phases(8 * MS, MS, 0), /its inputs took 8\.00 ms \(80 %\): 100 of 100 bytes were copied\.$/],
  ["output", phases(0, MS, 8 * MS), /its outputs took 8\.00 ms \(80 %\) to be gathered: 40 bytes\.$/],
  ["cache", { cached: true }, /^Answered from the response cache in 10\.0 ms/],
  [
    "steps",
    {
      steps: [
        { model: "a", version: "1", startedNs: 0, queueNs: MS, computeNs: MS, copiedBytes: 0 },
        { model: "b", version: "1", startedNs: 2 * MS, queueNs: 5 * MS, computeNs: MS, copiedBytes: 0 },
      ],
    },
    /^10\.0 ms in all\. Its longest step was b with 6\.00 ms, most of it waiting\.$/,
  ],
])("where the time went: %s", (_what, more, words) => expect(storyOf({ ...record, ...more })).toMatch(words));

it("a failed request says whether it came to an instance, and why it failed", () => {
  const { batch: _batch, phases: _phases, ...refused } = record;
  const error = { code: "UNAVAILABLE", message: "the queue is full" } as const;
  expect(storyOf({ ...refused, error, totalNs: 6 * MS })).toBe(
    "Failed after 6.00 ms. It never reached an instance, after 6.00 ms in the queue behind 3 other requests: the queue is full",
  );
  expect(storyOf({ ...record, error, queue: { ...record.queue, waitedNs: 0 } })).toMatch(
    /^Failed after 10\.0 ms\. It failed on its instance in a batch of 3: the queue is full$/,
  );
});

it("the pieces follow each other; what was received and sent lies outside of the latency", () => {
  expect(
    partsOf({ ...record, receiveNs: 2 * MS, writeNs: MS }).map(({ kind, startNs, ns }) => [
      kind,
      startNs / MS,
      ns / MS,
    ]),
  ).toEqual([
    ["receive", -2, 2],
    ["queue", 0, 6],
    ["input", 6, 1],
    ["infer", 7, 2],
    ["output", 9, 1],
    ["write", 10, 1],
  ]);
});
