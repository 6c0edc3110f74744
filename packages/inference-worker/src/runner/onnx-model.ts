import { NereidError } from "@nereid/errors";
import * as ort from "onnxruntime-node";
import type { ModelTensor, OutputRequest, SessionSettings, TensorRef } from "../runner-protocol/messages.ts";
import { fromOrtType, type OrtType, toOrtType } from "./onnx-types.ts";
import type { BufferOf, ProducedOutput } from "./place-outputs.ts";
import { bytesFromStrings, stringsFromBytes } from "./string-tensor.ts";
import { typedView } from "./typed-view.ts";

/** One onnxruntime session. `run` blocks its thread for the whole execution: use it in an instance's own thread. */
export class OnnxModel {
  readonly inputs: readonly ModelTensor[];
  readonly outputs: readonly ModelTensor[];
  readonly #session: ort.InferenceSession;
  readonly #profiled: boolean;

  private constructor(session: ort.InferenceSession, profiled: boolean) {
    this.#session = session;
    this.#profiled = profiled;
    this.inputs = session.inputMetadata.map(signatureOf);
    this.outputs = session.outputMetadata.map(signatureOf);
  }

  /** `profile`: begin of the name of the file that `release` writes the engine's profile to. */
  static async load(file: string, settings: SessionSettings, profile?: string): Promise<OnnxModel> {
    const profiling = profile === undefined ? {} : { enableProfiling: true, profileFilePrefix: profile };
    const options = { ...sessionOptions(settings), ...profiling };
    return new OnnxModel(await ort.InferenceSession.create(file, options), profile !== undefined);
  }

  /** Has the engine say, in lines of its log on standard error, which provider each node is on. The server reads them. */
  static async tellPlacement(file: string, settings: SessionSettings): Promise<void> {
    const options = { ...sessionOptions(settings), logSeverityLevel: VERBOSE, logVerbosityLevel: 0 } as const;
    await (await ort.InferenceSession.create(file, options)).release();
  }

  /** Inputs are read in place. Outputs with a place are written there; the others come back loose. */
  async run(
    inputs: readonly TensorRef[],
    outputs: readonly OutputRequest[],
    bufferOf: BufferOf,
  ): Promise<ProducedOutput[]> {
    const feeds: Record<string, ort.Tensor> = {};
    for (const input of inputs) feeds[input.name] = tensorOn(input, bufferOf(input.segment));
    const fetches: Record<string, ort.Tensor | null> = {};
    for (const { name, place } of outputs) {
      fetches[name] = place === undefined ? null : tensorOn(place, bufferOf(place.segment));
    }
    const results = await this.#session.run(feeds, fetches);
    return outputs.map(({ name, place }) => {
      const result = results[name];
      if (result === undefined) throw new NereidError("INTERNAL", `the model did not produce output '${name}'`);
      return place === undefined ? looseOutput(name, result) : { kind: "placed", ref: place };
    });
  }

  async release(): Promise<void> {
    if (this.#profiled) this.#session.endProfiling();
    await this.#session.release();
  }
}

const VERBOSE = 0;

function sessionOptions(settings: SessionSettings): ort.InferenceSession.SessionOptions {
  const spinning = { allow_spinning: "0" };
  return {
    // The binding's types know fewer providers than the engine.
    executionProviders: settings.executionProviders.map(({ name, deviceId, options }) => ({
      name,
      ...(deviceId !== undefined && { deviceId }),
      ...options,
    })) as ort.InferenceSession.ExecutionProviderConfig[],
    intraOpNumThreads: settings.intraOpThreads,
    interOpNumThreads: settings.interOpThreads,
    executionMode: settings.interOpThreads > 1 ? "parallel" : "sequential",
    graphOptimizationLevel: settings.graphOptimization,
    enableCpuMemArena: settings.arena,
    enableMemPattern: settings.memoryPattern,
    logSeverityLevel: 4,
    // Idle threads that spin starve the other instances (measured: a fifth of the rate with neighbours busy).
    extra: { session: { intra_op: spinning, inter_op: spinning, ...settings.extra } },
  };
}

function signatureOf(meta: ort.InferenceSession.ValueMetadata): ModelTensor {
  if (!meta.isTensor)
    throw new NereidError("UNSUPPORTED", `'${meta.name}' is not a tensor; sequences and maps cannot be served`);
  const datatype = fromOrtType(meta.type);
  if (datatype === undefined)
    throw new NereidError("UNSUPPORTED", `tensor '${meta.name}' has element type ${meta.type}, which cannot be served`);
  return { name: meta.name, datatype, dims: meta.shape.map((dim) => (dim === "" ? -1 : dim)) };
}

function tensorOn(ref: TensorRef, buffer: ArrayBuffer): ort.Tensor {
  const type = ortTypeOf(ref);
  if (ref.datatype === "BYTES") {
    const elements = ref.shape.reduce((product, dim) => product * dim, 1);
    return new ort.Tensor(
      "string",
      stringsFromBytes(new Uint8Array(buffer, ref.offset, ref.byteLength), ref.name, elements),
      ref.shape,
    );
  }
  const view = typedView(buffer, ref.datatype, ref);
  // The constructor's overloads tie each type name to its array class; typedView pairs them by construction.
  return new ort.Tensor(type as "float32", view as Float32Array, ref.shape);
}

function ortTypeOf(ref: TensorRef): OrtType {
  const type = toOrtType(ref.datatype);
  if (type === undefined) {
    throw new NereidError(
      "UNSUPPORTED",
      `tensor '${ref.name}' is ${ref.datatype}, which the onnxruntime binding does not take; use FP32 or FP16`,
    );
  }
  return type;
}

function looseOutput(name: string, tensor: ort.Tensor): ProducedOutput {
  const datatype = fromOrtType(tensor.type);
  if (datatype === undefined) throw new NereidError("UNSUPPORTED", `output '${name}' has element type ${tensor.type}`);
  const { data } = tensor;
  const bytes = Array.isArray(data)
    ? bytesFromStrings(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { kind: "loose", name, datatype, shape: tensor.dims, bytes };
}
