import { expect, it } from "vitest";
import { loadTestOf } from "./load-test-of.ts";

const figures = {
  requests: 0,
  failureShare: 0,
  p50: null,
  p99: null,
  queue: null,
  infer: null,
  requestsPerSecond: 12.4,
};

it("sends the traffic of the window again", () => {
  expect(loadTestOf({ model: "mnist", version: null, figures })).toBe(
    "npx nereid perf -m 'mnist' --request-rate-range 12 --request-distribution poisson --percentile 99",
  );
  expect(loadTestOf({ model: "it's", version: "2", figures: { ...figures, requestsPerSecond: 0.1 } })).toBe(
    String.raw`npx nereid perf -m 'it'\''s' -x 2 --request-rate-range 1 --request-distribution poisson --percentile 99`,
  );
});
