import { expect, it } from "vitest";
import { endpointLoadMetrics } from "./load-metrics.ts";

const METRICS = { utilization: 0.25, maxTokenCapacity: 4096 };

it.each([
  ["text", "TEXT named_metrics.kv_cache_utilization=0.25, named_metrics.max_token_capacity=4096"],
  ["json", 'JSON {"named_metrics":{"kv_cache_utilization":0.25,"max_token_capacity":4096}}'],
  ["xml", undefined],
  [undefined, undefined],
])("endpoint-load-metrics in the format %s", (format, value) => {
  expect(endpointLoadMetrics(format, () => METRICS)).toBe(value);
  expect(endpointLoadMetrics(format, () => undefined)).toBeUndefined();
});
