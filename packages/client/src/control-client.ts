import { ERROR_CODES, NereidError } from "@nereid/errors";
import type { FlightQuery, FlightRecord } from "./flight-types.ts";
import type {
  ModelProfile,
  ModelStatus,
  ModelWarning,
  ProfileRequest,
  TraceEvent,
  Traffic,
  TrafficChange,
  TrafficStatus,
} from "./management-types.ts";
import { flightSearch } from "./model-calls.ts";
import { parseJson } from "./repository-calls.ts";
import type {
  ConfigApplied,
  ConfigCheck,
  Draft,
  DraftPatch,
  ModelConfigState,
  PublishedDraft,
  VersionFiles,
} from "./repository-types.ts";

export interface ControlClientOptions {
  /** Address of the dashboard, e.g. `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  /** An API key (`nrd_…`). */
  readonly apiKey: string;
  /** Milliseconds for a call; default 290 000, because a load may take minutes. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/** A version as the dashboard lists it. */
export interface ListedVersion extends VersionFiles {
  readonly state: string;
  readonly reason: string;
  readonly ready: boolean;
  readonly pinned: boolean;
  readonly author: string | null;
}

const DEFAULT_TIMEOUT_MS = 290_000;

/** Client of the dashboard's REST API, for scripts. Every failure is a NereidError with the API's own code and words. */
export class ControlClient {
  readonly #options: ControlClientOptions;
  readonly #base: string;

  constructor(options: ControlClientOptions) {
    this.#options = options;
    this.#base = `${options.baseUrl.replace(/\/+$/, "")}/api/v1`;
  }

  /** Where tus uploads go, and the header that allows them. */
  get uploads(): { readonly endpoint: string; readonly headers: Readonly<Record<string, string>> } {
    return { endpoint: `${this.#base}/uploads`, headers: { authorization: `Bearer ${this.#options.apiKey}` } };
  }

  models(): Promise<ModelStatus[]> {
    return this.#call("GET", "/models");
  }

  load(model: string, reason?: string): Promise<{ warnings: ModelWarning[] }> {
    return this.#call("POST", `${modelBase(model)}/load`, { reason });
  }

  unload(model: string, reason?: string): Promise<unknown> {
    return this.#call("POST", `${modelBase(model)}/unload`, { reason });
  }

  versions(model: string): Promise<ListedVersion[]> {
    return this.#call("GET", `${modelBase(model)}/versions`);
  }

  loadVersion(model: string, version: string, reason?: string): Promise<unknown> {
    return this.#call("POST", `${versionBase(model, version)}/load`, { reason });
  }

  unloadVersion(model: string, version: string, reason?: string): Promise<unknown> {
    return this.#call("POST", `${versionBase(model, version)}/unload`, { reason });
  }

  /** Serves an earlier version; without `to` the one before the newest that is served. */
  rollback(model: string, options: { to?: string; reason?: string } = {}): Promise<{ from: string[]; to: string }> {
    return this.#call("POST", `${modelBase(model)}/rollback`, options);
  }

  /** How requests that name no version are divided; null = they go to the highest READY one. */
  async traffic(model: string): Promise<TrafficStatus | null> {
    return (await this.#call<TrafficChange>("GET", `${modelBase(model)}/traffic`)).traffic;
  }

  /** Divides them from now on, also after a restart; null = the highest READY version again. */
  divideTraffic(model: string, traffic: Traffic | null, reason?: string): Promise<TrafficChange> {
    return this.#call("PUT", `${modelBase(model)}/traffic`, { ...(traffic ?? { weights: null }), reason });
  }

  /** Ends the loads of a model that are in progress; their calls fail, what is served goes on. */
  cancelLoad(model: string, reason?: string): Promise<{ cancelled: number }> {
    return this.#call("POST", `${modelBase(model)}/load/cancel`, { reason });
  }

  /** Where the model's time goes while it serves, by operator and provider. */
  profile(model: string, request: ProfileRequest & { reason?: string | undefined } = {}): Promise<ModelProfile> {
    return this.#call("POST", `${modelBase(model)}/profile`, request);
  }

  /** Every event of a profile, in Chrome's trace format. */
  profileTrace(model: string, id: string): Promise<readonly TraceEvent[]> {
    return this.#call("GET", `${modelBase(model)}/profiles/${encodeURIComponent(id)}/trace`);
  }

  /** What happened to requests that the server remembers, newest first. */
  async requests(query: FlightQuery = {}): Promise<readonly FlightRecord[]> {
    return (await this.#call<{ records: FlightRecord[] }>("GET", `/requests${flightSearch(query)}`)).records;
  }

  config(model: string): Promise<ModelConfigState> {
    return this.#call("GET", `${modelBase(model)}/config`);
  }

  checkConfig(model: string, text: string): Promise<ConfigCheck> {
    return this.#call("POST", `${modelBase(model)}/config/check`, { text });
  }

  applyConfig(model: string, input: { text: string; ifDigest: string; reason?: string }): Promise<ConfigApplied> {
    return this.#call("PUT", `${modelBase(model)}/config`, input);
  }

  openDraft(input: { model?: string; version?: string }): Promise<Draft> {
    return this.#call("POST", "/drafts", input);
  }

  draft(id: string): Promise<Draft> {
    return this.#call("GET", `/drafts/${encodeURIComponent(id)}`);
  }

  editDraft(id: string, patch: DraftPatch): Promise<Draft> {
    return this.#call("PATCH", `/drafts/${encodeURIComponent(id)}`, patch);
  }

  checkDraft(id: string): Promise<Draft> {
    return this.#call("POST", `/drafts/${encodeURIComponent(id)}/check`, {});
  }

  publishDraft(id: string, input: { load: boolean; reason?: string }): Promise<PublishedDraft> {
    return this.#call("POST", `/drafts/${encodeURIComponent(id)}/publish`, input);
  }

  discardDraft(id: string): Promise<unknown> {
    return this.#call("DELETE", `/drafts/${encodeURIComponent(id)}`);
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const { apiKey, fetch = globalThis.fetch, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    let response: Response;
    let bytes: Uint8Array;
    try {
      response = await fetch(this.#base + path, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          accept: "application/json",
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      bytes = new Uint8Array(await response.arrayBuffer());
    } catch (cause) {
      throw new NereidError("UNAVAILABLE", `no answer from ${this.#base}`, {
        fix: "start the dashboard (npm start), or give its address with --url",
        cause,
      });
    }
    if (!response.ok) throw problemOf(response.status, bytes);
    return bytes.byteLength === 0
      ? (undefined as T)
      : parseJson<T>({ status: response.status, headers: response.headers, body: bytes });
  }
}

/** The NereidError that a problem document (RFC 9457) stands for. */
function problemOf(status: number, body: Uint8Array): NereidError {
  const text = new TextDecoder().decode(body);
  let problem: Record<string, unknown> = {};
  try {
    problem = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Something between us and the dashboard answered; its words are all there is.
  }
  const code = ERROR_CODES.find((known) => known === problem["code"]) ?? "UNKNOWN";
  const message =
    typeof problem["detail"] === "string" ? problem["detail"] : `HTTP status ${status}: ${text.slice(0, 300)}`;
  const { fix, details } = problem;
  return new NereidError(code, message, {
    ...(typeof fix === "string" && { fix }),
    details: { ...(typeof details === "object" && details !== null ? details : {}), status },
  });
}

function modelBase(model: string): string {
  return `/models/${encodeURIComponent(model)}`;
}

function versionBase(model: string, version: string): string {
  return `${modelBase(model)}/versions/${encodeURIComponent(version)}`;
}
