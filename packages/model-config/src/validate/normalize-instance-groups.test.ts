import { describe, expect, it } from "vitest";
import { ModelInstanceGroup_Kind as Kind } from "../gen/model_config_pb.ts";
import { read } from "../testing/check.ts";
import { type InstanceGroupContext, normalizeInstanceGroups } from "./normalize-instance-groups.ts";

const CPU: InstanceGroupContext = { gpus: [], cudaBuild: false, modelName: "m" };
const GPU: InstanceGroupContext = { gpus: [{ id: 1 }, { id: 0 }], cudaBuild: true, modelName: "m" };

function groups(text: string, context: InstanceGroupContext = CPU) {
  const { config } = normalizeInstanceGroups(read(text), context);
  return config.instanceGroup.map(({ name, kind, count, gpus }) => [name, Kind[kind], count, gpus]);
}

describe("normalizeInstanceGroups()", () => {
  it("adds a group named after the model, two instances for ONNX on the CPU", () => {
    expect(groups('backend: "onnxruntime"')).toEqual([["m", "CPU", 2, []]]);
    expect(groups('backend: "python"')).toEqual([["m", "CPU", 1, []]]);
    expect(groups('backend: "onnxruntime"', GPU)).toEqual([["m", "GPU", 1, [0, 1]]]);
  });

  it("names, counts and places the groups that are given", () => {
    const text = 'instance_group [ { count: 3 kind: KIND_MODEL }, { name: "g" gpus: 7 }, { gpus: 1 } ]';
    expect(groups(text, GPU)).toEqual([
      ["m_0", "MODEL", 3, []],
      ["g", "CPU", 1, [7]],
      ["m_2", "GPU", 1, [1]],
    ]);
  });

  it("follows the backend where the config is silent", () => {
    const backendPreferred = [{ kind: Kind.CPU, count: 5 }];
    expect(groups("", { ...GPU, backendPreferred })).toEqual([["m", "CPU", 5, []]]);
    expect(groups("instance_group { count: 1 }", { ...CPU, backendPreferred })).toEqual([["m_0", "CPU", 1, []]]);
  });

  it("leaves its argument and ensembles alone", () => {
    const config = read("instance_group { }");
    normalizeInstanceGroups(config, CPU);
    expect(config).toEqual(read("instance_group { }"));
    expect(groups('platform: "ensemble"')).toEqual([]);
  });

  it("reports what the resolved groups get wrong", () => {
    const { diagnostics } = normalizeInstanceGroups(read("instance_group { gpus: 7 }"), GPU);
    expect(diagnostics.map((diagnostic) => diagnostic.message)).toEqual([
      "instance group m_0 of model m has kind KIND_CPU but specifies one or more GPUs",
    ]);
  });
});
