import { create, equals, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ModelConfigSchema } from "../gen/model_config_pb.ts";
import { arbitraryConfigText } from "../testing/arbitrary-config.ts";
import { read } from "../testing/check.ts";
import { modelConfigFromJson } from "./model-config-from-json.ts";
import { modelConfigToJson } from "./model-config-to-json.ts";

describe("modelConfigToJson()", () => {
  it("prints defaults, leaves absent messages out", () => {
    const json = modelConfigToJson(create(ModelConfigSchema, { name: "m" }));
    expect(json).toMatchObject({ name: "m", max_batch_size: 0, input: [], parameters: {}, backend: "" });
    expect(json).not.toHaveProperty("optimization");
    expect(json).not.toHaveProperty("dynamic_batching");
  });

  it("shows 64-bit integers as Triton does", () => {
    const text = `input { name: "x" data_type: TYPE_FP32 dims: [ -1 ] reshape { shape: 2 } }
      version_policy { specific { versions: 3 } }
      dynamic_batching { max_queue_delay_microseconds: 5 priority_queue_policy { key: 1 value { default_timeout_microseconds: 6 } } }
      model_warmup { inputs { key: "x" value { dims: 7 } } }
      instance_group { secondary_devices { device_id: 8 } }
      optimization { cuda { graph_spec { input { key: "x" value { dim: 9 } } } } }`;
    expect(modelConfigToJson(read(text))).toMatchObject({
      input: [{ dims: [-1], reshape: { shape: [2] }, data_type: "TYPE_FP32", format: "FORMAT_NONE", optional: false }],
      version_policy: { specific: { versions: [3] } },
      dynamic_batching: {
        max_queue_delay_microseconds: 5,
        priority_levels: 0,
        priority_queue_policy: { "1": { default_timeout_microseconds: 6, timeout_action: "REJECT" } },
      },
      model_warmup: [{ inputs: { x: { dims: [7] } } }],
      instance_group: [{ kind: "KIND_AUTO", secondary_devices: [{ device_id: "8" }] }],
      optimization: { cuda: { graph_spec: [{ input: { x: { dim: ["9"] } } }] } },
    });
    const sequence = "sequence_batching { state { dims: 1 initial_state { dims: 2 } } direct { } }";
    expect(modelConfigToJson(read(sequence))).toMatchObject({
      sequence_batching: {
        max_sequence_idle_microseconds: 0,
        direct: { max_queue_delay_microseconds: 0 },
        state: [{ dims: [1], initial_state: [{ dims: ["2"] }] }],
      },
    });
    expect(modelConfigToJson(read("ensemble_scheduling { step { model_version: -1 } }"))).toMatchObject({
      ensemble_scheduling: { step: [{ model_version: -1 }] },
    });
  });
});

describe("modelConfigFromJson()", () => {
  it("reads back what is printed", () => {
    fc.assert(
      fc.property(arbitraryConfigText(), (text) => {
        const config = read(text);
        const printed = JSON.stringify(modelConfigToJson(config));
        // Numbers beyond 2^53 are lossy by Triton's own format.
        fc.pre(!/[0-9]{16,}(?!")/.test(printed));
        const back = modelConfigFromJson(printed);
        expect(back.diagnostics).toEqual([]);
        if (back.config === undefined || equals(ModelConfigSchema, back.config, config)) return;
        expect(toBinary(ModelConfigSchema, back.config)).toEqual(toBinary(ModelConfigSchema, config));
      }),
      { numRuns: 200 },
    );
  });

  it("takes both name styles, enums in any case or by number, 64-bit as number or string", () => {
    const text =
      '{"maxBatchSize":2,"input":[{"name":"x","data_type":"type_fp32","dims":[1,"2"]},{"name":"y","dataType":9}]}';
    const { config } = modelConfigFromJson(text);
    expect(config).toEqual(
      read(
        'max_batch_size: 2 input [ { name: "x" data_type: TYPE_FP32 dims: [ 1, 2 ] }, { name: "y" data_type: TYPE_INT64 } ]',
      ),
    );
  });

  it.each([
    ['{"bogus": 1}', "Invalid config override: unknown field bogus"],
    ['{"max_batch_sise": 1}', "did you mean max_batch_size?"],
    ['{"max_batch_size": "x"}', "Invalid config override: "],
    ['{"input": [{"dims": [12345678901234567890]}]}', "too large"],
    ['{"name": 1}', "Invalid config override: "],
    ["[]", "Invalid config override: "],
    ["{", "Invalid config override: "],
    ["", "Invalid config override: "],
  ])("refuses %s", (text, message) => {
    const { config, diagnostics } = modelConfigFromJson(text);
    expect(config).toBeUndefined();
    expect(diagnostics.map((diagnostic) => diagnostic.message).join()).toContain(message);
  });
});
