import type { InputStep, LoadSpec, SequencePlan } from "@nereid/perf";
import type { PerfCommand } from "./perf-command.ts";
import { describeModel, type PerfModel } from "./perf-model.ts";
import type { PerfServer } from "./perf-server.ts";
import { readInputs, requestSteps } from "./read-inputs.ts";
import { shareTensors } from "./shared-regions.ts";
import { textRequests } from "./text-requests.ts";

/** A load but for its level. */
export interface PreparedLoad {
  readonly spec: Omit<LoadSpec, "share" | "shape">;
  readonly model: PerfModel;
  /** What is sent, for the export. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

const TEXT_MODEL: PerfModel = {
  inputs: [],
  outputs: [],
  batched: false,
  sequences: false,
  decoupled: false,
  cached: false,
  composing: [],
};

/** Asks about the model, makes its requests and puts them where they are sent from. */
export async function prepareLoad(command: PerfCommand, server: PerfServer): Promise<PreparedLoad> {
  if (command.serviceKind === "openai") {
    const steps = textRequests(command);
    const inputs = steps.map((step) => ({ payload: step.kind === "body" ? step.body : "" }));
    return {
      spec: specOf(command, TEXT_MODEL, { streams: [steps] }),
      model: TEXT_MODEL,
      inputs,
      close: async () => undefined,
    };
  }
  const model = await describeModel(server, command);
  const data = readInputs(command, model);
  const inputs = data.flat().map(namedInputs);
  const streams = requestSteps(data);
  if (!command.sharedMemory)
    return { spec: specOf(command, model, { streams }), model, inputs, close: async () => undefined };
  const shared = await shareTensors(server, { streams, command, model });
  return { spec: specOf(command, model, shared), model, inputs, close: () => shared.close() };
}

function specOf(
  command: PerfCommand,
  model: PerfModel,
  { streams, outputs = [] }: Pick<LoadSpec, "streams"> & Partial<Pick<LoadSpec, "outputs">>,
): PreparedLoad["spec"] {
  const { protocol, host, port, version, streaming, headers, jsonInput, jsonOutput, compression } = command;
  return {
    target: {
      protocol,
      host,
      port,
      model: command.model,
      version,
      streaming,
      decoupled: model.decoupled,
      headers,
      jsonInput,
      jsonOutput,
      compression,
    },
    streams,
    outputs,
    parameters: command.parameters,
    sequences: model.sequences ? sequencePlan(command) : undefined,
    seed: command.seed,
    total: undefined,
  };
}

/** Without a length of their own, sequences of given data are as long as their streams. */
function sequencePlan({ sequences, input }: PerfCommand): SequencePlan {
  const { length, variation, ...rest } = sequences;
  const fromData = length === undefined && input.kind === "paths";
  return { ...rest, length: fromData ? undefined : (length ?? 20), variation };
}

function namedInputs(step: InputStep): Record<string, unknown> {
  return Object.fromEntries(
    step.map(({ name, shape, bytes }) => [name, { shape, b64: Buffer.from(bytes).toString("base64") }]),
  );
}
