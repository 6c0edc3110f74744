import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  batchSteps,
  elementCount,
  fixedShape,
  type InputStep,
  type InputTensor,
  parseInputData,
  type RequestStep,
  seededRandom,
  tensorData,
} from "@nereid/perf";
import { writeBytesElements } from "@nereid/protocol";
import type { PerfCommand } from "./perf-command.ts";
import type { PerfModel } from "./perf-model.ts";
import { optionError } from "./read-flags.ts";

/** The requests to send, stream by stream, in batches. INVALID_ARGUMENT for files that cannot be read or do not fit the model. */
export function readInputs(command: PerfCommand, model: PerfModel): InputStep[][] {
  const known = new Set(model.inputs.map(({ name }) => name));
  const stranger = [...command.shapes.keys()].find((name) => !known.has(name));
  if (stranger !== undefined)
    throw optionError(`--shape names '${stranger}'`, `the inputs are ${[...known].join(", ")}`);
  return streamsOf(command, model).map((steps) => batchSteps(steps, command.batch, model.batched));
}

function streamsOf(command: PerfCommand, model: PerfModel): InputStep[][] {
  const { input, shapes } = command;
  if (input.kind !== "paths") return [[filled(command, model, input.kind)]];
  const [first = ""] = input.paths;
  if (input.paths.length === 1 && existsSync(first) && statSync(first).isDirectory())
    return [[fromDirectory(first, command, model)]];
  return input.paths.flatMap((file) => parseInputData(readText(file), { file, tensors: model.inputs, shapes }));
}

function filled(command: PerfCommand, model: PerfModel, kind: "zero" | "random"): InputStep {
  const { stringLength, stringData, seed } = command;
  const random = seededRandom(seed);
  return model.inputs
    .filter(({ optional, name }) => !optional || command.shapes.has(name))
    .map((tensor) => {
      const shape = fixedShape(tensor, command.shapes.get(tensor.name));
      const bytes = tensorData(tensor.datatype, elementCount(shape), { kind, random, stringLength, stringData });
      return { name: tensor.name, datatype: tensor.datatype, shape, bytes };
    });
}

/** A file for each input: raw bytes, or lines of text. */
function fromDirectory(directory: string, { shapes }: PerfCommand, model: PerfModel): InputStep {
  return model.inputs.flatMap((tensor): InputTensor[] => {
    const { name, datatype, optional } = tensor;
    const file = join(directory, name);
    if (optional && !existsSync(file)) return [];
    const content = readBytes(file);
    const bytes =
      datatype === "BYTES" ? writeBytesElements(content.toString("utf8").replace(/\n$/, "").split("\n")) : content;
    return [{ name, datatype, shape: fixedShape(tensor, shapes.get(name)), bytes: new Uint8Array(bytes) }];
  });
}

function readText(file: string): string {
  return readBytes(file).toString("utf8");
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw optionError(
      `cannot read ${file}`,
      "give zero, random, a directory with a file for each input, or a JSON file",
    );
  }
}

/** The requests as a generator sends them. Pure. */
export function requestSteps(streams: readonly (readonly InputStep[])[]): RequestStep[][] {
  return streams.map((steps) =>
    steps.map((step) => ({
      kind: "tensors",
      inputs: step.map(({ name, datatype, shape, bytes }) => ({
        name,
        datatype,
        shape,
        data: { kind: "bytes", bytes },
      })),
    })),
  );
}
