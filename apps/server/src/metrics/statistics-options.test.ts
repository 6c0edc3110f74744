import { parseModelConfig } from "@nereid/model-config";
import { describe, expect, it } from "vitest";
import { GivenFlags } from "../options/given-flags.ts";
import { parseMetricsConfig } from "../options/metrics-config.ts";
import { statisticsOptions } from "./statistics-options.ts";

const ON = parseMetricsConfig(new GivenFlags(["--metrics-config=histogram_latencies=true"]));
const OFF = parseMetricsConfig(new GivenFlags([]));

function config(text: string) {
  const { config: parsed } = parseModelConfig(text, { file: "config.pbtxt" });
  if (parsed === undefined) throw new Error("not a configuration");
  return parsed;
}

const control = (family: string) =>
  config(`model_metrics { metric_control [ {
    metric_identifier: { family: "${family}" }
    histogram_options: { buckets: [ 7, 70 ] }
  } ] }`);

describe("statisticsOptions()", () => {
  it("counts look-ups of models that use a cache which is there", () => {
    const cached = config("response_cache { enable: true }");
    expect(statisticsOptions(OFF, cached, true)).toEqual({ cached: true });
    expect(statisticsOptions(OFF, cached)).toEqual({});
    expect(statisticsOptions(OFF, config("response_cache { enable: false }"), true)).toEqual({});
    expect(statisticsOptions(ON, cached, true)).toMatchObject({
      cached: true,
      firstResponseBoundsMs: [100, 500, 2000, 5000],
    });
  });

  it("keeps no first-response histogram unless it is asked for", () => {
    expect(statisticsOptions(OFF, control("nv_inference_first_response_histogram_ms"))).toEqual({});
  });

  it("has Triton's bounds unless the model sets its own for this family", () => {
    expect(statisticsOptions(ON, config("")).firstResponseBoundsMs).toEqual([100, 500, 2000, 5000]);
    const own = statisticsOptions(ON, control("nv_inference_first_response_histogram_ms"));
    expect(own.firstResponseBoundsMs).toEqual([7, 70]);
    expect(statisticsOptions(ON, control("other")).firstResponseBoundsMs).toEqual([100, 500, 2000, 5000]);
  });
});
