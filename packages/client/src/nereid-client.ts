import {
  decodeInferResponse,
  encodeInferRequest,
  type InferResponse,
  type ModelMetadata,
  parseHeaderLength,
  type RepositoryIndexEntry,
  type ServerMetadata,
} from "@nereid/protocol";
import { bucketStream } from "./bucket-stream.ts";
import type {
  BucketStreamOptions,
  CallOptions,
  InferCall,
  InferOptions,
  LoadModelOptions,
  NereidClientOptions,
  RepositoryIndexOptions,
  UnloadModelOptions,
  VersionOptions,
} from "./client-types.ts";
import { ExtensionCalls } from "./extension-calls.ts";
import {
  type GenerateAnswer,
  type GenerateBody,
  generateBody,
  generateEvents,
  parseGenerateAnswer,
} from "./generate-call.ts";
import { HttpTransport, type TransportAnswer } from "./http-transport.ts";
import { toInferRequest } from "./infer-request.ts";
import { loadBody } from "./load-body.ts";
import type {
  ModelStatus,
  ModelWarning,
  RunnerEvent,
  SecondBucket,
  ServerEvent,
  ServerStatus,
} from "./management-types.ts";
import { pack } from "./pack.ts";
import { parseJson } from "./repository-calls.ts";
import type { StatisticsAnswer } from "./statistics-types.ts";

const LOAD_TIMEOUT_MS = 290_000;
const METRICS_PORT = "8002";
const EVENTS_PATIENCE_MS = 3_000;

/**
 * Client of a Nereid (or Triton) server. Every failure is a NereidError: the code follows the HTTP status, the message
 * is the server's; a server that does not answer is UNAVAILABLE.
 */
export class NereidClient extends ExtensionCalls {
  protected readonly transport: HttpTransport;
  protected readonly backoff: NereidClientOptions["backoff"];
  readonly #options: NereidClientOptions;

  constructor(options: NereidClientOptions) {
    super();
    this.#options = options;
    this.transport = new HttpTransport(options);
    this.backoff = options.backoff;
  }

  async serverLive(options: CallOptions = {}): Promise<boolean> {
    return this.#probe("/v2/health/live", options);
  }

  async serverReady(options: CallOptions = {}): Promise<boolean> {
    return this.#probe("/v2/health/ready", options);
  }

  /** False for an unknown model too, as in Triton's clients. */
  async modelReady(model: string, options: VersionOptions = {}): Promise<boolean> {
    return this.#probe(`${modelPath(model, options.version)}/ready`, options);
  }

  async serverMetadata(options: CallOptions = {}): Promise<ServerMetadata> {
    return this.#getJson<ServerMetadata>("/v2", options);
  }

  async modelMetadata(model: string, options: VersionOptions = {}): Promise<ModelMetadata> {
    return this.#getJson<ModelMetadata>(modelPath(model, options.version), options);
  }

  /** The model configuration as protobuf-style JSON (snake_case). */
  async modelConfig(model: string, options: VersionOptions = {}): Promise<Record<string, unknown>> {
    return this.#getJson<Record<string, unknown>>(`${modelPath(model, options.version)}/config`, options);
  }

  /** Statistics of one model, or of every READY version when no model is named. */
  async statistics(model?: string, options: VersionOptions = {}): Promise<StatisticsAnswer> {
    const path = model === undefined ? "/v2/models" : modelPath(model, options.version);
    return this.#getJson<StatisticsAnswer>(`${path}/stats`, options);
  }

  async repositoryIndex(options: RepositoryIndexOptions = {}): Promise<RepositoryIndexEntry[]> {
    const body = options.ready === undefined ? undefined : JSON.stringify({ ready: options.ready });
    return parseJson<RepositoryIndexEntry[]>(await this.#post("/v2/repository/index", body, options));
  }

  /** Loads or reloads a model and waits for it (default limit 290 s). Returns the warnings of the load. */
  async loadModel(model: string, options: LoadModelOptions = {}): Promise<ModelWarning[]> {
    const answer = await this.#post(repositoryPath(model, "load"), loadBody(options), {
      timeoutMs: LOAD_TIMEOUT_MS,
      ...options,
    });
    return parseWarnings(answer.headers.get("nereid-warnings"));
  }

  /** Returns when the unload is triggered; running requests finish later. */
  async unloadModel(model: string, options: UnloadModelOptions = {}): Promise<void> {
    const dependents = options.unloadDependents;
    const body = dependents === undefined ? undefined : { parameters: { unload_dependents: dependents } };
    const text = body === undefined ? undefined : JSON.stringify(body);
    await this.#post(repositoryPath(model, "unload"), text, options);
  }

  /** One inference. Inputs and outputs travel as binary blobs unless the call asks for JSON. */
  async infer(model: string, call: InferCall, options: InferOptions = {}): Promise<InferResponse> {
    const jsonInputs = new Set(call.inputs.filter((input) => input.json === true).map((input) => input.name));
    const message = encodeInferRequest(toInferRequest(call), { binary: (name) => !jsonInputs.has(name) });
    const { requestCompression = "identity", responseCompression = "identity" } = options;
    // fetch asks for compressed answers by itself, which costs more than it saves between a client and a near server.
    const headers: Record<string, string> = {
      "accept-encoding": responseCompression,
      ...options.headers,
      "content-type": message.contentType,
    };
    if (requestCompression !== "identity") headers["content-encoding"] = requestCompression;
    if (message.headerLength !== undefined) {
      headers["inference-header-content-length"] = String(message.headerLength);
    }
    const answer = await this.transport.call({
      ...callParts(options),
      method: "POST",
      path: `${modelPath(model, options.version)}/infer`,
      headers,
      body: await pack(
        message.blobs.length === 0 ? message.json : Buffer.concat([message.json, ...message.blobs]),
        requestCompression,
      ),
    });
    options.onHeaders?.(answer.headers);
    const header = answer.headers.get("inference-header-content-length") ?? undefined;
    return decodeInferResponse(answer.body, parseHeaderLength(header, answer.body.byteLength));
  }

  /** One answer of the generate extension: inputs by name, everything else as parameters. */
  async generate(model: string, body: GenerateBody, options: InferOptions = {}): Promise<GenerateAnswer> {
    const answer = await this.transport.call({
      ...callParts(options),
      method: "POST",
      path: `${modelPath(model, options.version)}/generate`,
      headers: { ...options.headers, "content-type": "application/json" },
      body: generateBody(body),
    });
    return parseGenerateAnswer(decodeText(answer));
  }

  /** The answers of the generate extension as they come; leaving the loop, or the signal, cancels the request. No time limit. */
  generateStream(
    model: string,
    body: GenerateBody,
    options: InferOptions = {},
  ): AsyncGenerator<GenerateAnswer, void, undefined> {
    return generateEvents(this.transport, {
      path: `${modelPath(model, options.version)}/generate_stream`,
      body,
      ...(options.headers !== undefined && { headers: options.headers }),
      ...(options.signal !== undefined && { signal: options.signal }),
    });
  }

  /** The Prometheus page of the metrics port. */
  async metricsText(options: CallOptions = {}): Promise<string> {
    const path = this.#options.metricsUrl ?? defaultMetricsUrl(this.#options.baseUrl);
    return decodeText(await this.transport.call({ ...callParts(options), method: "GET", path }));
  }

  async serverStatus(options: CallOptions = {}): Promise<ServerStatus> {
    return this.#getJson<ServerStatus>("/nereid/v1/server", options);
  }

  /** Makes readiness say no while requests are answered as before, or ends that. A restart of the server ends it too. */
  async setDraining(draining: boolean, options: CallOptions = {}): Promise<ServerStatus> {
    const answer = await this.transport.call({
      ...callParts(options),
      method: "PUT",
      path: "/nereid/v1/server/draining",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ draining }),
    });
    return parseJson<ServerStatus>(answer);
  }

  /** Every model of every repository, loaded or not. */
  async models(options: CallOptions = {}): Promise<ModelStatus[]> {
    return this.#getJson<ModelStatus[]>("/nereid/v1/models", options);
  }

  async model(name: string, options: CallOptions = {}): Promise<ModelStatus> {
    return this.#getJson<ModelStatus>(`/nereid/v1/models/${encodeURIComponent(name)}`, options);
  }

  /** The last ends and restarts of runners, oldest first. */
  async runnerEvents(options: CallOptions = {}): Promise<RunnerEvent[]> {
    return this.#getJson<RunnerEvent[]>("/nereid/v1/runner-events", options);
  }

  /** What happened to models and their processes, as far as the server remembers it, oldest first. */
  async serverEvents(options: CallOptions = {}): Promise<ServerEvent[]> {
    const headers = { accept: "application/json" };
    // A server that only streams events never ends its answer.
    const limits = { timeoutMs: EVENTS_PATIENCE_MS, ...options };
    const call = { ...callParts(limits), method: "GET", path: "/nereid/v1/events", headers } as const;
    return parseJson<ServerEvent[]>(await this.transport.call(call));
  }

  /** Per-second telemetry: remembered buckets first, then live ones; reconnects and resumes until the signal aborts. */
  buckets(options: BucketStreamOptions = {}): AsyncGenerator<SecondBucket, void, undefined> {
    return bucketStream({ transport: this.transport, backoff: this.backoff }, options);
  }

  async #probe(path: string, options: CallOptions): Promise<boolean> {
    const answer = await this.transport.exchange({ ...callParts(options), method: "GET", path });
    return answer.status === 200;
  }

  async #getJson<T>(path: string, options: CallOptions): Promise<T> {
    return parseJson<T>(await this.transport.call({ ...callParts(options), method: "GET", path }));
  }

  #post(path: string, body: string | undefined, options: CallOptions): Promise<TransportAnswer> {
    return this.transport.call({
      ...callParts(options),
      method: "POST",
      path,
      ...(body === undefined ? {} : { body, headers: { "content-type": "application/json" } }),
    });
  }
}

function callParts(options: CallOptions): CallOptions {
  return {
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  };
}

function modelPath(model: string, version: string | undefined): string {
  const base = `/v2/models/${encodeURIComponent(model)}`;
  return version === undefined ? base : `${base}/versions/${encodeURIComponent(version)}`;
}

/**
 * Triton's route takes the name as it stands in the address, so a name that must be quoted there cannot be said; Nereid has a
 * route of its own that decodes it. Plain names go to Triton's, which every server of the protocol has.
 */
function repositoryPath(model: string, verb: "load" | "unload"): string {
  const base = /^[A-Za-z0-9._-]+$/.test(model) ? "/v2/repository/models" : "/nereid/v1/models";
  return `${base}/${encodeURIComponent(model)}/${verb}`;
}

function defaultMetricsUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.port = METRICS_PORT;
  url.pathname = "/metrics";
  return url.toString();
}

function decodeText(answer: TransportAnswer): string {
  return new TextDecoder().decode(answer.body);
}

function parseWarnings(header: string | null): ModelWarning[] {
  if (header === null) return [];
  try {
    return JSON.parse(decodeURIComponent(header)) as ModelWarning[];
  } catch {
    // The load itself succeeded; an unreadable remark about it must not turn it into a failure.
    return [];
  }
}
