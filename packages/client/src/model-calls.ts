import type { CallOptions } from "./client-types.ts";
import { FactCalls } from "./fact-calls.ts";
import type { FlightQuery, FlightRecord } from "./flight-types.ts";
import type {
  ModelProfile,
  ProfileRequest,
  ServerEvent,
  TraceEvent,
  Traffic,
  TrafficChange,
  TrafficStatus,
} from "./management-types.ts";
import { parseJson } from "./repository-calls.ts";
import { resumingStream } from "./resuming-stream.ts";

export interface EventStreamOptions {
  /** Only events later than the one with this id. */
  readonly after?: number;
  /** Only those of this model. */
  readonly model?: string;
  /** Ends the stream quietly when aborted. */
  readonly signal?: AbortSignal;
  /** Reconnect after this many milliseconds without a byte; default 45 000. */
  readonly idleTimeoutMs?: number;
}

/** The server sends something every 15 s. */
const IDLE_TIMEOUT_MS = 45_000;

/** A profile takes its seconds, and the engine some more to write it. */
const PROFILE_TIMEOUT_MS = 120_000;

/** What is done with models that are loaded or being loaded, and what happens to them. A real Triton has none of it (NOT_FOUND). */
export abstract class ModelCalls extends FactCalls {
  /** How requests that name no version are divided; null = they go to the highest READY one. */
  async traffic(model: string, options: CallOptions = {}): Promise<TrafficStatus | null> {
    const path = `${modelBase(model)}/traffic`;
    return parseJson<TrafficChange>(await this.transport.call({ ...options, method: "GET", path })).traffic;
  }

  /** Divides them from now on, also after a restart; null = the highest READY version again. */
  async divideTraffic(model: string, traffic: Traffic | null, options: CallOptions = {}): Promise<TrafficChange> {
    const answer = await this.transport.call({
      ...options,
      method: "PUT",
      path: `${modelBase(model)}/traffic`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(traffic ?? { weights: null }),
    });
    return parseJson<TrafficChange>(answer);
  }

  /** Ends the loads of a model that are in progress; their calls fail, what is served goes on. CONFLICT when there is none. */
  async cancelLoad(model: string, options: CallOptions = {}): Promise<{ readonly cancelled: number }> {
    const path = `${modelBase(model)}/load/cancel`;
    return parseJson(await this.transport.call({ ...options, method: "POST", path }));
  }

  /**
   * Where the model's time goes, by operator and provider: one instance more is profiled for so long, while the model goes on serving.
   * UNSUPPORTED for models that do not run on ONNX Runtime.
   */
  async profile(model: string, request: ProfileRequest = {}, options: CallOptions = {}): Promise<ModelProfile> {
    const answer = await this.transport.call({
      timeoutMs: PROFILE_TIMEOUT_MS,
      ...options,
      method: "POST",
      path: `${modelBase(model)}/profile`,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    return parseJson(answer);
  }

  /** Every event of a profile that was taken, in Chrome's trace format. NOT_FOUND when the server no longer keeps it. */
  async profileTrace(model: string, id: string, options: CallOptions = {}): Promise<readonly TraceEvent[]> {
    const path = `${modelBase(model)}/profiles/${encodeURIComponent(id)}/trace`;
    return parseJson(await this.transport.call({ ...options, method: "GET", path }));
  }

  /** What happened to requests that are remembered, newest first. */
  async requests(query: FlightQuery = {}, options: CallOptions = {}): Promise<readonly FlightRecord[]> {
    const path = `/nereid/v1/requests${flightSearch(query)}`;
    const answer = await this.transport.call({ ...options, method: "GET", path });
    return parseJson<{ records: FlightRecord[] }>(answer).records;
  }

  /** What happens to models: remembered events first, then live ones; reconnects and resumes until the signal aborts. */
  events(options: EventStreamOptions = {}): AsyncGenerator<ServerEvent, void, undefined> {
    const { after, model, signal, idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
    return resumingStream<ServerEvent>(
      { transport: this.transport, backoff: this.backoff },
      {
        what: "event",
        path: "/nereid/v1/events",
        query: { model },
        after,
        placeOf: ({ id }) => id,
        idleTimeoutMs,
        signal,
      },
    );
  }
}

/** `?id=…&limit=…`, or nothing. */
export function flightSearch(query: FlightQuery): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? "" : `?${search.toString()}`;
}

function modelBase(model: string): string {
  return `/nereid/v1/models/${encodeURIComponent(model)}`;
}
