import type { ModelProfile } from "@nereid/client";
import { expect, it } from "vitest";
import { profileLines } from "./profile-lines.ts";

const PROFILE: ModelProfile = {
  id: "i",
  model: "mnist",
  version: "1",
  seconds: 5,
  runs: 4,
  totalUs: 2000,
  operators: [
    { operator: "Conv", provider: "CUDAExecutionProvider", calls: 8, totalUs: 1500 },
    { operator: "Relu", provider: "CPUExecutionProvider", calls: 4, totalUs: 100 },
  ],
  nodes: [],
};

it("profileLines() tells the time by operator, and shares of it", () => {
  expect(profileLines(PROFILE)).toEqual([
    "mnist/1: 4 executions in 5 s, 0.500 ms each as a whole",
    "operator  runs on  calls  total ms  ms an execution   share",
    "Conv      CUDA         8     1.500            0.375  93.8 %",
    "Relu      CPU          4     0.100            0.025   6.3 %",
  ]);
});

it("profileLines() says what to do when nothing ran", () => {
  expect(profileLines({ ...PROFILE, runs: 0, totalUs: 0, operators: [], note: "no request came" })).toEqual([
    "mnist/1: 0 executions in 5 s",
    "note: no request came",
  ]);
});
