import { ERROR_CODES, type ErrorCode, NereidError } from "@nereid/errors";
import type { NereidClientOptions } from "./client-types.ts";

export interface TransportRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path below the base address, or an absolute URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export interface TransportAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 50;
/** Of the words with which a stream is refused. */
const MOST_REFUSAL_BYTES = 1024 * 1024;
const REFUSAL_TIMEOUT_MS = 10_000;
/** Timers cannot wait longer. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

const CODE_OF_STATUS: ReadonlyMap<number, ErrorCode> = new Map([
  [400, "INVALID_ARGUMENT"],
  [401, "UNAUTHENTICATED"],
  [403, "FORBIDDEN"],
  [404, "NOT_FOUND"],
  [405, "METHOD_NOT_ALLOWED"],
  [409, "CONFLICT"],
  [413, "PAYLOAD_TOO_LARGE"],
  [429, "TOO_MANY_REQUESTS"],
  [500, "INTERNAL"],
  [501, "UNSUPPORTED"],
  [503, "UNAVAILABLE"],
]);

/** One HTTP peer: builds addresses and headers, and turns every failure into a NereidError. */
export class HttpTransport {
  readonly #options: NereidClientOptions;
  readonly #baseUrl: string;

  constructor(options: NereidClientOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, "");
  }

  /** Sends and reads the whole answer, whatever its status. Throws UNAVAILABLE (no answer) or CANCELLED (signal). */
  async exchange(request: TransportRequest): Promise<TransportAnswer> {
    const { retries = 0 } = this.#options;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#exchangeOnce(request);
      } catch (thrown) {
        const error = this.failure(thrown, request.signal);
        if (attempt >= retries || !isSafeToRepeat(request, error)) throw error;
        await pause(FIRST_PAUSE_MS * 2 ** attempt, request.signal);
      }
    }
  }

  async #exchangeOnce(request: TransportRequest): Promise<TransportAnswer> {
    const timeoutMs = request.timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const timeout = timeoutMs > 0 ? AbortSignal.timeout(wholeMs(timeoutMs)) : undefined;
    const signals = [request.signal, timeout].filter((signal) => signal !== undefined);
    try {
      const response = await this.#send(request, AbortSignal.any(signals));
      const body = await this.#bodyOf(response, this.#options.maxAnswerBytes);
      return { status: response.status, headers: response.headers, body };
    } catch (thrown) {
      if (timeout?.aborted === true && request.signal?.aborted !== true) {
        throw new NereidError("UNAVAILABLE", `no answer from ${this.#baseUrl} within ${timeoutMs} ms`, {
          fix: "raise timeoutMs, or look at the server's load",
          cause: thrown,
        });
      }
      throw this.failure(thrown, request.signal);
    }
  }

  /** As `exchange`, but an answer other than 2xx throws the NereidError it stands for. */
  async call(request: TransportRequest): Promise<TransportAnswer> {
    const answer = await this.exchange(request);
    if (answer.status < 200 || answer.status > 299) throw errorOfAnswer(answer);
    return answer;
  }

  /** Opens an answer for streaming; no time limit, but for one that is a refusal. Throws as `call`. */
  async open(request: TransportRequest): Promise<ReadableStream<Uint8Array>> {
    const refusal = new AbortController();
    const signals = [request.signal, refusal.signal].filter((signal) => signal !== undefined);
    let response: Response;
    try {
      response = await this.#send(request, AbortSignal.any(signals));
    } catch (thrown) {
      throw this.failure(thrown, request.signal);
    }
    if (!response.ok) {
      const { status, headers } = response;
      const timer = setTimeout(() => refusal.abort(), REFUSAL_TIMEOUT_MS);
      try {
        throw errorOfAnswer({ status, headers, body: await this.#bodyOf(response, MOST_REFUSAL_BYTES) });
      } catch (thrown) {
        throw this.failure(thrown, request.signal);
      } finally {
        clearTimeout(timer);
      }
    }
    if (response.body === null) throw new NereidError("INTERNAL", `empty stream from ${request.path}`);
    return response.body;
  }

  /** The NereidError for something that fetch threw. */
  failure(thrown: unknown, signal: AbortSignal | undefined): NereidError {
    if (thrown instanceof NereidError) return thrown;
    if (signal?.aborted === true)
      return new NereidError("CANCELLED", "call cancelled by the caller", { cause: thrown });
    return new NereidError("UNAVAILABLE", `cannot reach ${this.#baseUrl}: ${reasonOf(thrown)}`, {
      fix: "start the server, or check its address and port",
      cause: thrown,
    });
  }

  /** The whole body. One beyond the limit is not read to its end: its connection is closed, and UNAVAILABLE thrown. */
  async #bodyOf(response: Response, most: number | undefined): Promise<Uint8Array> {
    if (most === undefined || response.body === null) return new Uint8Array(await response.arrayBuffer());
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    // Leaving the loop cancels the body, which destroys the connection.
    for await (const piece of response.body) {
      bytes += piece.byteLength;
      if (bytes > most) {
        throw new NereidError("UNAVAILABLE", `the answer of ${this.#baseUrl} has more than ${most} bytes`, {
          fix: "check that the address is a Nereid or Triton HTTP port",
        });
      }
      pieces.push(piece);
    }
    return Buffer.concat(pieces, bytes);
  }

  async #send(request: TransportRequest, signal: AbortSignal | undefined): Promise<Response> {
    const { apiKey, fetch: injected } = this.#options;
    const headers = headersOf({
      ...this.#options.headers,
      ...request.headers,
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    });
    const url = request.path.startsWith("/") ? this.#baseUrl + request.path : request.path;
    const response = await (injected ?? globalThis.fetch)(url, {
      method: request.method,
      headers,
      // Whoever answers must not choose whom else this side calls.
      redirect: "manual",
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(signal === undefined ? {} : { signal }),
    });
    const { status, headers: said } = response;
    if (status < 300 || status > 399) return response;
    await response.body?.cancel();
    throw new NereidError(
      "UNAVAILABLE",
      `${this.#baseUrl} redirects to ${cut(said.get("location") ?? "nowhere", 200)}`,
      {
        fix: "give the address that it redirects to, if it is the server's",
      },
    );
  }
}

/** Characters of a text that a server answered with, and of an answer whose details are passed on. */
const LONGEST_MESSAGE = 8_000;
const LONGEST_DETAILED = 256 * 1024;

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)} … (${text.length - most} more characters)` : text;
}

/** Fetch lets most of them through, and servers read them as they like. */
const CONTROL = /[^\t\P{Cc}]/u;

/** INVALID_ARGUMENT for a header that cannot be sent: the server is not to blame. Its value is not told: it may be a key. */
function headersOf(entries: Readonly<Record<string, string>>): Headers {
  const broken = Object.entries(entries).find(([, value]) => CONTROL.test(value));
  if (broken !== undefined) {
    throw new NereidError("INVALID_ARGUMENT", `the header ${broken[0]} has a control character or a line break`, {
      fix: "enter the key, or the header, again on one line",
    });
  }
  try {
    return new Headers(entries);
  } catch (cause) {
    throw new NereidError("INVALID_ARGUMENT", "a header of the call cannot be sent: it has characters beyond Latin-1", {
      cause,
    });
  }
}

/** Returns early when the signal aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
    if (signal?.aborted === true) done();
  });
}

function wholeMs(ms: number): number {
  return Math.min(Math.ceil(ms), LONGEST_TIMEOUT_MS);
}

/** Whether the server cannot have acted on a call that failed this way, or acting twice changes nothing. */
function isSafeToRepeat({ method }: TransportRequest, error: NereidError): boolean {
  if (error.code !== "UNAVAILABLE") return false;
  return method === "GET" || reasonOf(error.cause) === "ECONNREFUSED";
}

/** NereidError for an answer: code from the body if it names one, else from the status; text from `{"error"}`. */
export function errorOfAnswer({ status, headers, body }: TransportAnswer): NereidError {
  // The first event of a stream may be an error, with its status.
  const text = new TextDecoder().decode(body).replace(/^data: /, "");
  const parsed = parseObject(text);
  const code = ERROR_CODES.find((known) => known === parsed?.["code"]) ?? CODE_OF_STATUS.get(status) ?? "UNKNOWN";
  const message = typeof parsed?.["error"] === "string" ? parsed["error"] : text.trim() || `HTTP status ${status}`;
  const fix = parsed?.["fix"];
  const said = parsed?.["details"];
  const isDetailed = typeof said === "object" && said !== null && text.length <= LONGEST_DETAILED;
  const details = { ...(isDetailed ? said : {}), status };
  const retryAfterMs = retryAfter(headers);
  return new NereidError(code, cut(message, LONGEST_MESSAGE), {
    details,
    ...(typeof fix === "string" && { fix: cut(fix, LONGEST_MESSAGE) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** When the server asks to be tried again, milliseconds from now: to the millisecond where it says so, else in whole seconds. */
function retryAfter(headers: Headers): number | undefined {
  const exact = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (exact > 0) return exact;
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return seconds > 0 ? seconds * 1000 : undefined;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause: unknown = thrown.cause;
  if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
  return thrown.message;
}
