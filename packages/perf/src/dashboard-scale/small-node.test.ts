import type { SecondBucket } from "@nereid/telemetry";
import { SecondBuckets } from "@nereid/telemetry";
import { expect, it } from "vitest";
import { SmallModel } from "./small-model.ts";

const BODY = Buffer.from(JSON.stringify({ inputs: [{ name: "INPUT", datatype: "FP32", shape: [1], data: [3] }] }));

it("a small model answers with its input and counts what it answered, and nothing else", async () => {
  const buckets = new SecondBuckets();
  const model = new SmallModel("one", buckets);
  const seen: SecondBucket[] = [];
  buckets.subscribe((bucket) => seen.push(bucket));
  buckets.tick(1_000);
  const answer = JSON.parse((await model.infer(BODY, process.hrtime.bigint())).toString());
  expect(answer.outputs).toEqual([{ name: "INPUT", datatype: "FP32", shape: [1], data: [3] }]);
  await model.infer(BODY, process.hrtime.bigint());
  await expect(model.infer(Buffer.from("no json"), process.hrtime.bigint())).rejects.toThrow("not JSON");
  buckets.tick(2_000);
  buckets.tick(3_000);
  expect(seen[0]?.series).toMatchObject([{ model: "one", success: 2, failure: 1, executions: 2, instances: 1 }]);
  expect(seen[0]?.series[0]?.sumNs.request).toBeGreaterThan(0);
  expect(seen[1]?.series).toEqual([]);
});

it("an unloaded small model refuses, and counts from nothing after the next load", async () => {
  const model = new SmallModel("one", new SecondBuckets());
  await model.infer(BODY, process.hrtime.bigint());
  model.setLoaded(false);
  await expect(model.infer(BODY, process.hrtime.bigint())).rejects.toThrow("not loaded");
  expect(model.batching().versions).toEqual([]);
  model.setLoaded(true);
  expect(model.batching().versions).toMatchObject([{ executions: 0 }]);
});
