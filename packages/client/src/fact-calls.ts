import type { CallOptions, NereidClientOptions } from "./client-types.ts";
import type {
  Arrivals,
  InstanceOrder,
  LogAnswer,
  LogLine,
  LogQuery,
  MemoryFacts,
  OperatedInstance,
  Simulation,
  SimulationQuestion,
  VersionBatching,
  VersionShapes,
} from "./fact-types.ts";
import { parseJson, RepositoryCalls } from "./repository-calls.ts";
import { resumingStream } from "./resuming-stream.ts";

/** The server sends something every 15 s. */
const IDLE_TIMEOUT_MS = 45_000;
/** A restart loads the model once more. */
const RESTART_TIMEOUT_MS = 290_000;

/** What a server remembers about its models. A real Triton has none of it (NOT_FOUND). */
export abstract class FactCalls extends RepositoryCalls {
  protected abstract readonly backoff: NereidClientOptions["backoff"];

  /** How batches of each served version came about, and how busy its instances are. */
  async batching(model: string, options: CallOptions = {}): Promise<readonly VersionBatching[]> {
    return (await this.#get<{ versions: VersionBatching[] }>(`${modelBase(model)}/batching`, options)).versions;
  }

  /**
   * Drains, resumes or restarts one instance and returns what it is then; a restart is waited for. CONFLICT where none would serve
   * without it and `force` is not set, UNSUPPORTED where the model's instances cannot be operated one by one.
   */
  async operateInstance(model: string, order: InstanceOrder, options: CallOptions = {}): Promise<OperatedInstance> {
    const { action, index, ...body } = order;
    const answer = await this.transport.call({
      timeoutMs: RESTART_TIMEOUT_MS,
      ...options,
      method: "POST",
      path: `${modelBase(model)}/instances/${index}/${action}`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return parseJson<OperatedInstance>(answer);
  }

  /** What would have become of the requests of the last minutes with other instances and batches. */
  simulate(model: string, question: SimulationQuestion = {}, options: CallOptions = {}): Promise<Simulation> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(question)) if (value !== undefined) search.set(name, String(value));
    return this.#get(`${modelBase(model)}/simulation${search.size === 0 ? "" : `?${search.toString()}`}`, options);
  }

  /** When the requests of the last seconds came (300 where none are given; 900 at most). */
  arrivals(
    model: string,
    { seconds, version }: { readonly seconds?: number; readonly version?: string } = {},
    options: CallOptions = {},
  ): Promise<Arrivals> {
    const search = new URLSearchParams();
    if (seconds !== undefined) search.set("seconds", String(seconds));
    if (version !== undefined) search.set("version", version);
    return this.#get(`${modelBase(model)}/arrivals${search.size === 0 ? "" : `?${search.toString()}`}`, options);
  }

  /** Which shapes the requests of each served version had. */
  async shapes(model: string, options: CallOptions = {}): Promise<readonly VersionShapes[]> {
    return (await this.#get<{ versions: VersionShapes[] }>(`${modelBase(model)}/shapes`, options)).versions;
  }

  /** What each load of a model since the server's start held, and who holds what now. */
  memory(model: string, options: CallOptions = {}): Promise<MemoryFacts> {
    return this.#get(`${modelBase(model)}/memory`, options);
  }

  /** Lines about models that are remembered, the oldest first. */
  logs(query: LogQuery = {}, options: CallOptions = {}): Promise<LogAnswer> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
    return this.#get(`/nereid/v1/logs${search.size === 0 ? "" : `?${search.toString()}`}`, options);
  }

  /** The same, and then every further line; reconnects and resumes until the signal aborts. */
  logStream(
    query: LogQuery = {},
    options: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<LogLine, void, undefined> {
    const { after, since, limit, ...filter } = query;
    return resumingStream<LogLine>(
      { transport: this.transport, backoff: this.backoff },
      {
        what: "log line",
        path: "/nereid/v1/logs",
        query: { ...filter, since: textOf(since), limit: textOf(limit) },
        after,
        placeOf: ({ id }) => id,
        idleTimeoutMs: IDLE_TIMEOUT_MS,
        signal: options.signal,
      },
    );
  }

  async #get<T>(path: string, options: CallOptions): Promise<T> {
    return parseJson<T>(await this.transport.call({ ...options, method: "GET", path }));
  }
}

function textOf(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function modelBase(model: string): string {
  return `/nereid/v1/models/${encodeURIComponent(model)}`;
}
