import { DATATYPES, type Datatype } from "@nereid/protocol/datatype";
import type { Diagnostic } from "../diagnostic.ts";
import { hasErrors } from "../diagnostic.ts";
import { fillModelConfig } from "../fill/fill-model-config.ts";
import type { ModelConfig } from "../gen/model_config_pb.ts";
import { notHonoured } from "../honoured.ts";
import { checkAgainstOnnx } from "../onnx/check-against-onnx.ts";
import { completeFromOnnx } from "../onnx/complete-from-onnx.ts";
import type { OnnxSignature, OnnxTensor } from "../onnx/onnx-signature.ts";
import { parseModelConfig } from "../text/parse-model-config.ts";
import type { Gpu } from "../validate/validate-model-config.ts";
import { validateModelConfig } from "../validate/validate-model-config.ts";
import { diagnoseConflictMarkers } from "./conflict-markers.ts";
import { mergeDiagnostics } from "./merge-diagnostics.ts";

/** A graph's tensors as the wire has them; data types are protocol names. */
export interface DiagnosedGraph {
  readonly inputs: readonly DiagnosedTensor[];
  readonly outputs: readonly DiagnosedTensor[];
}

export interface DiagnosedTensor {
  readonly name: string;
  readonly datatype: string;
  /** Without a batch convention: as the graph has them. A name or -1 is variable. */
  readonly dims: readonly (number | string)[];
}

export interface DiagnosedConfig {
  readonly text: string;
  /** Name of the model's directory. */
  readonly modelName: string;
  /** Null when the model's file cannot be read; the comparison is left out then. */
  readonly graph: DiagnosedGraph | null;
  /** GPUs of the server; left out where they are not known, and then no group is refused for them. */
  readonly gpus?: readonly Gpu[];
  /** Schema paths the server acts on; set fields outside get a warning. Left out: no such warnings. */
  readonly honoured?: ReadonlySet<string>;
  /** Entries of the first version directory; left out: an ONNX model. */
  readonly versionEntries?: readonly string[];
  /** The backend's `default-max-batch-size`. */
  readonly defaultMaxBatchSize?: number;
}

/**
 * Everything that can be said about a config text: what the reader, the checks and the comparison with the graph find, in
 * the order of the text, each finding once, with its position and, where one is mechanical, its fix. Never throws.
 */
export function diagnoseConfig(given: DiagnosedConfig): Diagnostic[] {
  const marked = diagnoseConflictMarkers(given.text);
  if (marked.length > 0) return marked;
  const { document, config, diagnostics: read } = parseModelConfig(given.text);
  if (config === undefined) return mergeDiagnostics(read);
  const found: Diagnostic[] = [...read];
  if (given.honoured !== undefined) found.push(...notHonoured(config, given.honoured, { document }));
  const filled = fillModelConfig(config, {
    directoryName: given.modelName,
    versionEntries: given.versionEntries ?? ["model.onnx"],
    document,
  });
  found.push(...filled.diagnostics);
  const context = { directoryName: given.modelName, document, ...devicesOf(given, config) };
  const signature = given.graph === null ? undefined : signatureOf(given.graph);
  const compares = signature !== undefined && filled.config.backend === "onnxruntime";
  if (!compares) {
    // Without the graph nobody knows what would be completed, so only what is written is checked.
    const io = config.input.length > 0 && config.output.length > 0 ? ("required" as const) : ("skip" as const);
    found.push(...validateModelConfig(filled.config, { ...context, io }));
    return mergeDiagnostics(found);
  }
  const early = validateModelConfig(filled.config, { ...context, io: "skip" });
  const completed = completeFromOnnx(filled.config, signature, {
    defaultMaxBatchSize: given.defaultMaxBatchSize ?? 4,
    document,
  });
  if (hasErrors(completed.diagnostics)) return mergeDiagnostics([...found, ...early, ...completed.diagnostics]);
  found.push(
    ...validateModelConfig(completed.config, { ...context, io: "required" }),
    ...checkAgainstOnnx(completed.config, signature, { document }),
  );
  return mergeDiagnostics(found);
}

/** Where the GPUs are not known, those that the text names are taken to be there. */
function devicesOf(given: DiagnosedConfig, config: ModelConfig): { gpus: readonly Gpu[]; cudaBuild: boolean } {
  if (given.gpus !== undefined) return { gpus: given.gpus, cudaBuild: given.gpus.length > 0 };
  const named = new Set([0, ...config.instanceGroup.flatMap((group) => group.gpus)]);
  return { gpus: Array.from(named, (id) => ({ id })), cudaBuild: true };
}

function signatureOf(graph: DiagnosedGraph): OnnxSignature | undefined {
  const inputs = graph.inputs.map(tensorOf);
  const outputs = graph.outputs.map(tensorOf);
  const known = (tensor: OnnxTensor | undefined): tensor is OnnxTensor => tensor !== undefined;
  // A type the protocol has no name for cannot be compared with; better no comparison than a wrong one.
  if (!inputs.every(known) || !outputs.every(known)) return undefined;
  return { inputs, outputs };
}

function tensorOf(tensor: DiagnosedTensor): OnnxTensor | undefined {
  const datatype: Datatype | undefined = DATATYPES.find((name) => name === tensor.datatype);
  return datatype === undefined ? undefined : { name: tensor.name, datatype, dims: tensor.dims };
}
