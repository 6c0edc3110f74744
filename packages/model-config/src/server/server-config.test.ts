import { describe, expect, it } from "vitest";
import { hasErrors } from "../diagnostic.ts";
import { parseModelConfig } from "../text/parse-model-config.ts";
import { applyModelDefaults } from "./apply-model-defaults.ts";
import { parseServerConfig } from "./parse-server-config.ts";

const FROM_AN_ARTICLE = `model_config_list: [
{
config: {
name: "my_resnet"
platform: "pytorch"
max_batch_size: 16
instance_group: [
{
count: 2
kind: KIND_GPU
gpus: [0]
}
]
}
}
]
backend_config: [
{
backend: "python"
parameters: {
key: "shm-default-size"
value: "4294967296" # 4GB
}
}
]`;

describe("parseServerConfig", () => {
  it("reads the lists of an article", () => {
    const { recognised, models, backends, diagnostics } = parseServerConfig(FROM_AN_ARTICLE);
    expect([recognised, hasErrors(diagnostics)]).toEqual([true, false]);
    expect(models.get("my_resnet")).toMatchObject({ line: 3, config: { maxBatchSize: 16, platform: "pytorch" } });
    expect(models.get("my_resnet")?.config.instanceGroup[0]).toMatchObject({ count: 2, gpus: [0] });
    expect(Object.fromEntries(backends.get("python") ?? [])).toEqual({ "shm-default-size": "4294967296" });
  });

  it("takes repeated blocks and parameters in a model's form", () => {
    const { models, backends, diagnostics } = parseServerConfig(
      `model_config_list { config { name: "a" } config { name: "b" } }
       backend_config { backend: "python" parameters { key: "x" value { string_value: "1" } } }
       backend_config { backend: "onnxruntime" parameters { key: "y" value: 2 } }`,
    );
    expect(diagnostics).toEqual([]);
    expect([...models.keys()]).toEqual(["a", "b"]);
    expect([backends.get("python")?.get("x"), backends.get("onnxruntime")?.get("y")]).toEqual(["1", "2"]);
  });

  it("does not take the configuration of one model for it", () => {
    expect(parseServerConfig('name: "m" max_batch_size: 4').recognised).toBe(false);
  });

  it.each([
    ["model_config_list { config { max_batch_size: 1 } }", 1, 21, "needs a name"],
    ['model_config_list {\n  config { name: "a" }\n  config { name: "a" }\n}', 3, 3, "in the list twice"],
    ['model_config_list { config { name: "a" max_bach_size: 1 } }', 1, 40, "max_batch_size"],
    ["model_config_list: 7", 1, 1, "takes blocks"],
    ["model_config_list { model { } }", 1, 21, "expected config"],
    ['backend_config { parameters { key: "a" value: "b" } }', 1, 16, "needs the name of its backend"],
    ['backend_config { backend: "python" parameters { key: "a" } }', 1, 47, "write parameters"],
    ['backend_config { backend: "python" option: 1 }', 1, 36, "expected backend and parameters"],
    ["model_config_list { }\nmax_batch_size: 1", 2, 1, "<model>/config.pbtxt"],
    ["backend_config {", 1, 16, "{"],
  ])("points at what is wrong in %j", (text, line, column, part) => {
    const { diagnostics } = parseServerConfig(text);
    expect(diagnostics[0]).toMatchObject({ line, column, severity: "error" });
    expect(diagnostics[0]?.message).toContain(part);
  });
});

describe("applyModelDefaults", () => {
  const merge = (own: string, defaults: string) => {
    const { config, document } = parseModelConfig(own);
    const { config: base } = parseModelConfig(defaults);
    if (config === undefined || base === undefined) throw new Error("the test's texts are wrong");
    return applyModelDefaults(config, base, new Set(document.fields.map(({ label }) => label)));
  };

  it("gives what the model does not say and leaves what it says, zero included", () => {
    const merged = merge(
      "max_batch_size: 0",
      'name: "m" max_batch_size: 16 backend: "onnxruntime" parameters { key: "a" value { string_value: "1" } }',
    );
    expect([merged.name, merged.maxBatchSize, merged.backend]).toEqual(["", 0, "onnxruntime"]);
    expect(merged.parameters["a"]?.stringValue).toBe("1");
  });

  it("does not mix the platform of one with the backend of the other", () => {
    expect(merge('backend: "onnxruntime"', 'platform: "pytorch_libtorch" max_batch_size: 2')).toMatchObject({
      backend: "onnxruntime",
      platform: "",
      maxBatchSize: 2,
    });
  });

  it("gives a scheduler only to a model without one", () => {
    const batching = "dynamic_batching { max_queue_delay_microseconds: 7 }";
    expect(merge("", batching).schedulingChoice.case).toBe("dynamicBatching");
    expect(merge("sequence_batching { }", batching).schedulingChoice.case).toBe("sequenceBatching");
  });

  it("shares nothing with the defaults", () => {
    const { config: base } = parseModelConfig("instance_group { count: 1 }");
    const { config: own } = parseModelConfig("");
    if (base === undefined || own === undefined) throw new Error("the test's texts are wrong");
    const merged = applyModelDefaults(own, base, new Set());
    merged.instanceGroup.pop();
    expect(base.instanceGroup).toHaveLength(1);
  });
});
