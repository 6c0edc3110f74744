import { NereidError } from "@nereid/errors";
import { datatypeFromConfig, type ModelConfig } from "@nereid/model-config";
import type { ModelSpec, TensorSpec } from "../models/model-spec.ts";
import { type EnsembleGraph, type EnsembleStep, ensembleGraph, originOf } from "./ensemble-graph.ts";
import { ensembleSteps } from "./ensemble-steps.ts";

/** A tensor of the ensemble as one model sees it. */
interface Seen {
  readonly model: string;
  readonly datatype: string;
  /** The whole shape, with -1 for the batch where the model batches. */
  readonly shape: readonly number[];
  readonly batching: boolean;
}

export interface ComposedEnsemble {
  readonly graph: EnsembleGraph;
  /** Any step of it may answer any number of times. */
  readonly decoupled: boolean;
  /** Where answers are put together: the deepest origin of the outputs; -1 = once for each request. */
  readonly answersAt: number;
  /** Labels an output without a file of its own takes from the model that makes it. */
  readonly labels: ReadonlyMap<string, readonly string[]>;
}

/**
 * Checks an ensemble against the models it is made of (scheduling.md §7). Throws INVALID_ARGUMENT with Triton's texts. `specOf` gives
 * the version a step would use.
 */
export function composeEnsemble(config: ModelConfig, specOf: (step: EnsembleStep) => ModelSpec): ComposedEnsemble {
  const steps = ensembleSteps(config);
  const specs = steps.map(specOf);
  const decoupledAt = (step: EnsembleStep) => specs[step.index]?.decoupled === true;
  checkBatch(config, specs);
  const seen = ownTensors(config);
  for (const step of steps) {
    const spec = specs[step.index];
    if (spec !== undefined) checkStep({ config, seen }, step, spec);
  }
  const graph = ensembleGraph(steps, decoupledAt);
  if ("kind" in graph) {
    throw refused(
      config,
      `step of model '${steps[graph.step]?.model ?? ""}' receives inputs originated from different decoupled models`,
    );
  }
  const origins = config.output.map(({ name }) => originOf(graph, name, decoupledAt));
  return {
    graph,
    decoupled: steps.some(decoupledAt),
    answersAt: deepest(config, graph, origins),
    labels: inheritedLabels(config, graph, specs),
  };
}

function deepest(config: ModelConfig, graph: EnsembleGraph, origins: readonly number[]): number {
  let found = -1;
  for (const origin of origins) {
    if (origin === found || above(graph, found).includes(origin)) continue;
    if (!above(graph, origin).includes(found)) {
      throw refused(
        config,
        "its outputs originate from different decoupled models; make one ensemble for each of them",
      );
    }
    found = origin;
  }
  return found;
}

/** The origins above a step, its own included. */
function above(graph: EnsembleGraph, index: number): readonly number[] {
  return index === -1 ? [-1] : [index, ...above(graph, graph.origin[index] ?? -1)];
}

function checkBatch({ name, maxBatchSize }: ModelConfig, specs: readonly ModelSpec[]): void {
  for (const spec of specs) {
    if (spec.maxBatchSize === 0 || spec.maxBatchSize >= maxBatchSize) continue;
    throw new NereidError(
      "INVALID_ARGUMENT",
      `ensemble ${name} allows maximum batch size ${maxBatchSize}, but it contains model ${spec.name} which only allows maximum batch size to be ${spec.maxBatchSize}`,
    );
  }
}

function ownTensors(config: ModelConfig): Map<string, Seen> {
  const batching = config.maxBatchSize > 0;
  const seen = new Map<string, Seen>();
  for (const { name, dataType, dims } of [...config.input, ...config.output])
    seen.set(name, { model: config.name, datatype: typeName(dataType), shape: fullShape(dims, batching), batching });
  return seen;
}

function checkStep(
  about: { readonly config: ModelConfig; readonly seen: Map<string, Seen> },
  step: EnsembleStep,
  spec: ModelSpec,
): void {
  const { config, seen } = about;
  for (const { input, tensor } of step.inputs) {
    const found = spec.inputByName.get(input);
    if (found === undefined)
      throw refused(
        config,
        `ensemble tensor ${tensor} is mapping to non-existing input ${input} in model ${spec.name}`,
      );
    checkTensor(config, seen, { tensor, now: seenBy(spec, found) });
  }
  const mapped = new Set(step.inputs.map(({ input }) => input));
  for (const { name, optional } of spec.inputs) {
    if (mapped.has(name) || optional) continue;
    throw refused(config, `input ${name} in model ${spec.name} is not mapped to any ensemble tensors`);
  }
  for (const { output, tensor } of step.outputs) {
    const found = spec.outputByName.get(output);
    if (found === undefined) {
      throw refused(
        config,
        `ensemble tensor ${tensor} is mapped from non-existing output ${output} in model ${spec.name}`,
      );
    }
    checkTensor(config, seen, { tensor, now: seenBy(spec, found) });
  }
}

function seenBy(spec: ModelSpec, { datatype, dims }: TensorSpec): Seen {
  const batching = spec.maxBatchSize > 0;
  return {
    model: spec.name,
    datatype: datatype === "BYTES" ? "TYPE_STRING" : `TYPE_${datatype}`,
    shape: batching ? [-1, ...dims] : dims,
    batching,
  };
}

function checkTensor(
  config: ModelConfig,
  seen: Map<string, Seen>,
  { tensor, now }: { readonly tensor: string; readonly now: Seen },
): void {
  const before = seen.get(tensor);
  if (before === undefined) {
    seen.set(tensor, now);
    return;
  }
  const start = `in ensemble ${config.name}, ensemble tensor ${tensor}: inconsistent`;
  if (before.datatype !== now.datatype) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `${start} data type: ${before.datatype} is inferred from model ${before.model} while ${now.datatype} is inferred from model ${now.model}`,
    );
  }
  if (compatible(before, now)) return;
  throw new NereidError(
    "INVALID_ARGUMENT",
    `${start} shape: [${before.shape.join(",")}] is inferred from model ${before.model} while [${now.shape.join(",")}] is inferred from model ${now.model}`,
  );
}

/** The items' shapes fit, or the whole shapes do: a batch dimension may be added or taken away on the way. */
function compatible(a: Seen, b: Seen): boolean {
  if (sameShape(a.shape, b.shape)) return true;
  const itemOf = ({ shape, batching }: Seen) => (batching ? shape.slice(1) : shape);
  return a.batching !== b.batching && (sameShape(itemOf(a), itemOf(b)) || sameShape(a.shape, b.shape));
}

function sameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((dim, index) => dim === -1 || b[index] === -1 || dim === b[index]);
}

function inheritedLabels(
  config: ModelConfig,
  graph: EnsembleGraph,
  specs: readonly ModelSpec[],
): ReadonlyMap<string, readonly string[]> {
  const labels = new Map<string, readonly string[]>();
  for (const { name, labelFilename } of config.output) {
    const writer = graph.writer.get(name);
    if (labelFilename !== "" || writer === undefined) continue;
    const output = graph.steps[writer]?.outputs.find(({ tensor }) => tensor === name)?.output;
    const found = output === undefined ? undefined : specs[writer]?.outputByName.get(output)?.labels;
    if (found !== undefined && found.length > 0) labels.set(name, found);
  }
  return labels;
}

function fullShape(dims: readonly bigint[], batching: boolean): readonly number[] {
  const shape = dims.map(Number);
  return batching ? [-1, ...shape] : shape;
}

function refused({ name }: ModelConfig, text: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", `in ensemble ${name}, ${text}`);
}

function typeName(dataType: ModelConfig["input"][number]["dataType"]): string {
  const datatype = datatypeFromConfig(dataType) ?? "INVALID";
  return datatype === "BYTES" ? "TYPE_STRING" : `TYPE_${datatype}`;
}
