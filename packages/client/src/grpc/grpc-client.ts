import { create, type DescMessage, type MessageInitShape, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { NereidError } from "@nereid/errors";
import {
  DEFAULT_MAX_MESSAGE,
  decodeInferMessageResponse,
  decodeMessage,
  encodeFrame,
  encodeInferMessage,
  GRPCInferenceService,
} from "@nereid/grpc";
import { modelConfigToJson } from "@nereid/model-config";
import type { InferResponse, ModelMetadata, RepositoryIndexEntry, ServerMetadata } from "@nereid/protocol";
import type {
  CallOptions,
  InferCall,
  LoadModelOptions,
  RepositoryIndexOptions,
  UnloadModelOptions,
  VersionOptions,
} from "../client-types.ts";
import { toInferRequest } from "../infer-request.ts";
import type {
  CudaRegion,
  CudaRegionStatus,
  LogSettings,
  LogSettingsChange,
  SystemRegion,
  SystemRegionStatus,
  TraceSettings,
  TraceSettingsChange,
} from "../settings-types.ts";
import type { StatisticsAnswer } from "../statistics-types.ts";
import { type CallSetup, CallStream } from "./call-stream.ts";
import { Connection } from "./connection.ts";
import { isAnswer } from "./grpc-error.ts";
import type { GrpcClientOptions, GrpcInferOptions, StreamInferOptions } from "./grpc-types.ts";
import { InferStream } from "./infer-stream.ts";
import { packFrame } from "./message-packing.ts";
import { indexEntry, logSettingsOf, statisticsEntry, tensorMetadata, traceSettingsOf } from "./read-answers.ts";
import { logRequest, traceRequest } from "./settings-messages.ts";
import { callUnary } from "./unary-call.ts";

export type * from "./grpc-types.ts";
export { InferStream } from "./infer-stream.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const LOAD_TIMEOUT_MS = 290_000;
const { method } = GRPCInferenceService;

/** An rpc of the service with its message types. */
interface Method<I extends DescMessage, O extends DescMessage> {
  readonly name: string;
  readonly input: I;
  readonly output: O;
}

/**
 * Client of a Nereid (or Triton) server over gRPC, with the verbs of NereidClient. Every failure is a NereidError: its code follows
 * the gRPC status, which `details.grpcStatus` names, and the message is the server's.
 */
export class GrpcClient implements AsyncDisposable {
  readonly #options: GrpcClientOptions;
  readonly #connection: Connection;

  constructor(options: GrpcClientOptions) {
    this.#options = options;
    this.#connection = new Connection(options);
  }

  /** Ends the connection when the calls in progress have ended. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async serverLive(options: CallOptions = {}): Promise<boolean> {
    return this.#probe(async () => (await this.#call(method.serverLive, {}, options)).live);
  }

  async serverReady(options: CallOptions = {}): Promise<boolean> {
    return this.#probe(async () => (await this.#call(method.serverReady, {}, options)).ready);
  }

  /** False for an unknown model too, as in Triton's clients. */
  async modelReady(model: string, options: VersionOptions = {}): Promise<boolean> {
    return this.#probe(async () => (await this.#call(method.modelReady, named(model, options), options)).ready);
  }

  async serverMetadata(options: CallOptions = {}): Promise<ServerMetadata> {
    const { name, version, extensions } = await this.#call(method.serverMetadata, {}, options);
    return { name, version, extensions };
  }

  async modelMetadata(model: string, options: VersionOptions = {}): Promise<ModelMetadata> {
    const answer = await this.#call(method.modelMetadata, named(model, options), options);
    const { name, versions, platform, inputs, outputs } = answer;
    return { name, versions, platform, inputs: inputs.map(tensorMetadata), outputs: outputs.map(tensorMetadata) };
  }

  /** The model configuration as protobuf-style JSON (snake_case). */
  async modelConfig(model: string, options: VersionOptions = {}): Promise<Record<string, unknown>> {
    const { config } = await this.#call(method.modelConfig, named(model, options), options);
    if (config === undefined) throw new NereidError("INTERNAL", "the server's answer has no configuration");
    return modelConfigToJson(config) as Record<string, unknown>;
  }

  /** Statistics of one model, or of every READY version when no model is named. */
  async statistics(model?: string, options: VersionOptions = {}): Promise<StatisticsAnswer> {
    const { modelStats } = await this.#call(method.modelStatistics, named(model ?? "", options), options);
    return { model_stats: modelStats.map(statisticsEntry) };
  }

  async repositoryIndex(options: RepositoryIndexOptions = {}): Promise<RepositoryIndexEntry[]> {
    const { models } = await this.#call(method.repositoryIndex, { ready: options.ready ?? false }, options);
    return models.map(indexEntry);
  }

  /** Loads or reloads a model and waits for it (default limit 290 s). */
  async loadModel(model: string, options: LoadModelOptions = {}): Promise<void> {
    const { config, files } = options;
    const parameters: Record<string, { parameterChoice: LoadChoice }> = {};
    if (config !== undefined) {
      const value = typeof config === "string" ? config : JSON.stringify(config);
      parameters["config"] = { parameterChoice: { case: "stringParam", value } };
    }
    for (const [path, content] of Object.entries(files ?? {})) {
      parameters[`file:${path}`] = { parameterChoice: { case: "bytesParam", value: Uint8Array.from(content) } };
    }
    const request = { modelName: model, parameters };
    await this.#call(method.repositoryModelLoad, request, { timeoutMs: LOAD_TIMEOUT_MS, ...options });
  }

  /** Returns when the unload is triggered; running requests finish later. */
  async unloadModel(model: string, options: UnloadModelOptions = {}): Promise<void> {
    const { unloadDependents } = options;
    const parameters: Record<string, { parameterChoice: LoadChoice }> =
      unloadDependents === undefined
        ? {}
        : { unload_dependents: { parameterChoice: { case: "boolParam", value: unloadDependents } } };
    await this.#call(method.repositoryModelUnload, { modelName: model, parameters }, options);
  }

  /** One inference; tensors always travel as binary. */
  async infer(model: string, call: InferCall, options: GrpcInferOptions = {}): Promise<InferResponse> {
    const target = { modelName: model, modelVersion: options.version ?? "" };
    const { requestCompression = "identity", responseCompression = "identity" } = options;
    const request = await packFrame(encodeInferMessage(toInferRequest(call), target), requestCompression);
    const setup: CallSetup = {
      ...this.#setup(method.modelInfer.name, options),
      ...(requestCompression !== "identity" && { sent: requestCompression }),
      ...(responseCompression !== "identity" && { accepted: `identity,${responseCompression}` }),
    };
    const answer = await callUnary(this.#connection, { ...setup, request }, this.#options.retries ?? 0);
    return readable(() => decodeInferMessageResponse(answer));
  }

  /** Opens a stream of requests; no time limit unless one is given. Its answers throw UNAVAILABLE when the server is not reached. */
  inferStream(options: StreamInferOptions = {}): InferStream {
    const setup = this.#setup(method.modelStreamInfer.name, { timeoutMs: 0, ...options });
    return new InferStream((events) => CallStream.open(this.#connection, setup, events));
  }

  /** Trace settings of a model, or of the server. */
  async traceSettings(model?: string, options: CallOptions = {}): Promise<TraceSettings> {
    return traceSettingsOf(await this.#call(method.traceSetting, { modelName: model ?? "" }, options));
  }

  /** Changes trace settings and answers what holds then. */
  async updateTraceSettings(
    change: TraceSettingsChange,
    model?: string,
    options: CallOptions = {},
  ): Promise<TraceSettings> {
    return traceSettingsOf(await this.#call(method.traceSetting, traceRequest(change, model), options));
  }

  async logSettings(options: CallOptions = {}): Promise<LogSettings> {
    return logSettingsOf(await this.#call(method.logSettings, {}, options));
  }

  async updateLogSettings(change: LogSettingsChange, options: CallOptions = {}): Promise<LogSettings> {
    return logSettingsOf(await this.#call(method.logSettings, logRequest(change), options));
  }

  /** Makes a region of the server's machine known to it. UNSUPPORTED where the server does not allow it. */
  async registerSystemSharedMemory(region: SystemRegion, options: CallOptions = {}): Promise<void> {
    const { name, key, offset = 0, byteSize } = region;
    const request = { name, key, offset: BigInt(offset), byteSize: BigInt(byteSize) };
    await this.#call(method.systemSharedMemoryRegister, request, options);
  }

  /** Forgets a region, or all of them; a request that uses it ends first. */
  async unregisterSystemSharedMemory(name?: string, options: CallOptions = {}): Promise<void> {
    await this.#call(method.systemSharedMemoryUnregister, { name: name ?? "" }, options);
  }

  async systemSharedMemoryStatus(name?: string, options: CallOptions = {}): Promise<SystemRegionStatus[]> {
    const { regions } = await this.#call(method.systemSharedMemoryStatus, { name: name ?? "" }, options);
    return Object.values(regions).map((region) => ({
      name: region.name,
      key: region.key,
      offset: Number(region.offset),
      byte_size: Number(region.byteSize),
    }));
  }

  /** Makes a region of a GPU's memory known to the server. INVALID_ARGUMENT where the server has no GPU. */
  async registerCudaSharedMemory(region: CudaRegion, options: CallOptions = {}): Promise<void> {
    const { name, rawHandle, deviceId, byteSize } = region;
    const request = {
      name,
      rawHandle: new Uint8Array(rawHandle),
      deviceId: BigInt(deviceId),
      byteSize: BigInt(byteSize),
    };
    await this.#call(method.cudaSharedMemoryRegister, request, options);
  }

  async unregisterCudaSharedMemory(name?: string, options: CallOptions = {}): Promise<void> {
    await this.#call(method.cudaSharedMemoryUnregister, { name: name ?? "" }, options);
  }

  async cudaSharedMemoryStatus(name?: string, options: CallOptions = {}): Promise<CudaRegionStatus[]> {
    const { regions } = await this.#call(method.cudaSharedMemoryStatus, { name: name ?? "" }, options);
    return Object.values(regions).map((region) => ({
      name: region.name,
      device_id: Number(region.deviceId),
      byte_size: Number(region.byteSize),
    }));
  }

  async #call<I extends DescMessage, O extends DescMessage>(
    { name, input, output }: Method<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions,
  ): Promise<MessageShape<O>> {
    const frame = encodeFrame(toBinary(input, create(input, request)));
    const call = { ...this.#setup(name, options), request: frame };
    const answer = await callUnary(this.#connection, call, this.#options.retries ?? 0);
    return readable(() => decodeMessage(output, answer));
  }

  #setup(rpc: string, options: CallOptions & { readonly metadata?: Readonly<Record<string, string>> }): CallSetup {
    const { apiKey, metadata, timeoutMs = DEFAULT_TIMEOUT_MS, maxMessageBytes = DEFAULT_MAX_MESSAGE } = this.#options;
    return {
      path: `/${GRPCInferenceService.typeName}/${rpc}`,
      metadata: {
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        ...metadata,
        ...options.metadata,
      },
      timeoutMs: options.timeoutMs ?? timeoutMs,
      signal: options.signal,
      maxMessageBytes,
    };
  }

  async #probe(ask: () => Promise<boolean>): Promise<boolean> {
    try {
      return await ask();
    } catch (error) {
      if (isAnswer(error)) return false;
      throw error;
    }
  }
}

type LoadChoice =
  | { case: "stringParam"; value: string }
  | { case: "bytesParam"; value: Uint8Array<ArrayBuffer> }
  | { case: "boolParam"; value: boolean };

function named(name: string, { version }: VersionOptions) {
  return { name, version: version ?? "" };
}

/** A message that cannot be read is the server's fault here. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new NereidError("INTERNAL", `the server's answer cannot be read: ${NereidError.from(cause).message}`, {
      cause,
    });
  }
}
