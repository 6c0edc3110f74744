import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  allocationBombModel,
  type DenseLayer,
  identityModel,
  loopModel,
  mlpModel,
  offsetModel,
  slowEchoModel,
} from "@nereid/model-authoring";

/** A model directory: files by their path inside it. */
export interface TestModel {
  readonly name: string;
  readonly files: Readonly<Record<string, Uint8Array | string>>;
}

export function writeModel(repository: string, { name, files }: TestModel): void {
  for (const [path, content] of Object.entries(files)) replaceFile(join(repository, name, path), content);
}

/** Puts a file in place in one step, as a careful deployment does. */
export function replaceFile(file: string, content: Uint8Array | string): void {
  mkdirSync(dirname(file), { recursive: true });
  const fresh = join(dirname(file), `.${process.pid}.new`);
  writeFileSync(fresh, content);
  renameSync(fresh, file);
}

export function removeModel(repository: string, name: string): void {
  rmSync(join(repository, name), { recursive: true });
}

const ONE_INSTANCE = "instance_group [ { count: 1 kind: KIND_CPU } ]";

/** Adds `offset` to every number; batches of up to 32. */
export function offset(name: string, by: number, config = "dynamic_batching { }"): TestModel {
  return {
    name,
    files: {
      "config.pbtxt": `backend: "onnxruntime"\nmax_batch_size: 32\n${ONE_INSTANCE}\n${config}\n`,
      "1/model.onnx": offsetModel(by),
    },
  };
}

/** Gives FP32 rows of any length back. */
export function identity(name: string, config = "dynamic_batching { }"): TestModel {
  return {
    name,
    files: {
      "config.pbtxt": `backend: "onnxruntime"\nmax_batch_size: 64\n${ONE_INSTANCE}\n${config}\n`,
      "1/model.onnx": identityModel([["FLOAT", "FP32"]]),
    },
  };
}

/** As slow as the client asks; `config` adds a queue policy. */
export function slowEcho(name: string, config: string): TestModel {
  return {
    name,
    files: {
      "config.pbtxt": `backend: "onnxruntime"\nmax_batch_size: 1\n${ONE_INSTANCE}\n${config}\n`,
      "1/model.onnx": slowEchoModel(),
    },
  };
}

export function loop(name: string, parameters: Readonly<Record<string, string>> = {}): TestModel {
  return unbatched(name, loopModel(), parameters);
}

export function allocationBomb(name: string, parameters: Readonly<Record<string, string>> = {}): TestModel {
  return unbatched(name, allocationBombModel(), parameters);
}

function unbatched(name: string, model: Uint8Array, parameters: Readonly<Record<string, string>>): TestModel {
  const lines = Object.entries(parameters).map(
    ([key, value]) => `parameters { key: "${key}" value: { string_value: "${value}" } }`,
  );
  return {
    name,
    files: {
      "config.pbtxt": `backend: "onnxruntime"\nmax_batch_size: 0\n${ONE_INSTANCE}\n${lines.join("\n")}\n`,
      "1/model.onnx": model,
    },
  };
}

/** A network of two square layers whose weights take about `megabytes`. */
export function network(name: string, megabytes: number): TestModel {
  const width = Math.floor(Math.sqrt((megabytes * 1e6) / 8));
  const layer = (): DenseLayer => ({ weights: new Float32Array(width * width), bias: new Float32Array(width) });
  return {
    name,
    files: {
      "config.pbtxt": `backend: "onnxruntime"\nmax_batch_size: 8\n${ONE_INSTANCE}\n`,
      "1/model.onnx": mlpModel(name, [layer(), layer()]),
    },
  };
}
