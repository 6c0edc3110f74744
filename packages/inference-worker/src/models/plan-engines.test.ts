import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelSnapshot } from "@nereid/model-repository";
import { afterEach, beforeEach, expect, it } from "vitest";
import { backendsWith } from "../backends/built-in-backends.ts";
import { prepareEngines } from "../backends/onnxruntime/engine-files.ts";
import { type PlanContext, planModel } from "./plan-model.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "nereid-plan-"));
  mkdirSync(join(root, "m", "1"), { recursive: true });
  writeFileSync(join(root, "m", "1", "model.onnx"), "");
});
afterEach(() => rmSync(root, { recursive: true }));

const CONFIG = `backend: "onnxruntime" max_batch_size: 4
input [ { name: "x" data_type: TYPE_FP32 dims: [ 2 ] } ]
output [ { name: "y" data_type: TYPE_FP32 dims: [ 2 ] } ]
instance_group [ { kind: KIND_GPU } ]
optimization { execution_accelerators { gpu_execution_accelerator [ {
  name: "tensorrt" parameters { key: "trt_engine_cache_enable" value: "1" } } ] } }`;

function snapshot(): ModelSnapshot {
  return {
    name: "m",
    directory: join(root, "m"),
    repository: root,
    configFile: join(root, "m", "config.pbtxt"),
    configText: CONFIG,
    versions: [{ version: 1n, directory: join(root, "m", "1"), fingerprint: "f1" }],
    firstVersionEntries: ["model.onnx"],
    ignored: [],
    fingerprint: "f",
  };
}

function context(driver: string): PlanContext {
  return {
    gpus: { cudaBuild: true, driver, gpus: [{ id: 0, uuid: "GPU-0", name: "NVIDIA L4", computeCapability: 8.9 }] },
    backends: backendsWith(),
    cores: 4,
    autoComplete: true,
    memoryLimitBytes: 0,
    executionTimeoutMs: 0,
    engineDirectory: join(root, "engines"),
  };
}

it("a version that keeps TensorRT engines gets a directory for them; engines of another driver are named and removed", () => {
  const plan = (driver: string) => {
    const { versions, warnings } = planModel(snapshot(), context(driver));
    const work = versions[0]?.work;
    if (work?.kind !== "runner" || work.engines === undefined) throw new Error("the plan keeps no engines");
    return { work, engines: work.engines, warnings, key: versions[0]?.key };
  };
  const first = plan("580.1");
  expect(first.work.load.session.executionProviders[0]).toMatchObject({
    name: "tensorrt",
    options: { trt_engine_cache_enable: "1", trt_engine_cache_path: first.engines.directory },
  });
  expect(first.engines.directory.startsWith(join(root, "engines"))).toBe(true);
  expect(first.warnings.map(({ code }) => code)).not.toContain("engines-rebuilt");
  // Planning is only looking.
  expect(existsSync(first.engines.directory)).toBe(false);
  prepareEngines(first.engines);
  const again = plan("580.1");
  expect([again.key, again.warnings]).toEqual([first.key, first.warnings]);
  expect(plan("590").warnings).toContainEqual({
    code: "engines-rebuilt",
    message: expect.stringContaining("(the driver was 580.1 and is 590): they are removed and built anew"),
    path: "optimization.execution_accelerators",
  });
});
