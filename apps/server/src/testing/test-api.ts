import { Agent, type IncomingHttpHeaders, request } from "node:http";

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

export interface CallOptions {
  readonly method?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** What the tests read of `GET /nereid/v1/models/M`. */
export interface ModelView {
  readonly name: string;
  readonly lastLoadError: string;
  readonly maxBatchSize: number;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly versions: readonly {
    readonly version: string;
    readonly state: string;
    readonly reason: string;
    readonly ready: boolean;
    readonly pending: number;
    readonly instances: readonly { readonly busy: boolean; readonly executions: number }[];
    readonly placement?: Readonly<Record<string, number>>;
    readonly runner?: { readonly pid: number; readonly restarts: number };
  }[];
}

interface Duration {
  readonly count: number;
  readonly ns: number;
}

export interface StatisticsView {
  readonly version: string;
  readonly inference_count: number;
  readonly execution_count: number;
  readonly inference_stats: Readonly<
    Record<"success" | "fail" | "queue" | "compute_input" | "compute_infer" | "compute_output", Duration>
  >;
  readonly batch_stats: readonly { readonly batch_size: number; readonly compute_infer: Duration }[];
}

export interface IndexRow {
  readonly name: string;
  readonly version?: string;
  readonly state?: string;
  readonly reason?: string;
}

export interface Tensor {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly data: readonly unknown[];
}

/** The HTTP calls of the tests, over connections that are kept alive. */
export class TestApi {
  readonly url: URL;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string) {
    this.url = new URL(url);
  }

  call(path: string, { method = "GET", body, headers, signal }: CallOptions = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          host: this.url.hostname,
          port: this.url.port,
          path,
          method,
          agent: this.#agent,
          headers: { ...(body !== undefined && { "content-length": Buffer.byteLength(body) }), ...headers },
          ...(signal !== undefined && { signal }),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const whole = Buffer.concat(chunks);
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: whole,
              text: whole.toString("utf8"),
            });
          });
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  post(path: string, body: unknown = "", options: CallOptions = {}): Promise<Reply> {
    const content = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
    return this.call(path, { ...options, method: "POST", body: content });
  }

  load(model: string, parameters?: Readonly<Record<string, string>>): Promise<Reply> {
    return this.post(`/v2/repository/models/${model}/load`, parameters === undefined ? "" : { parameters });
  }

  unload(model: string): Promise<Reply> {
    return this.post(`/v2/repository/models/${model}/unload`);
  }

  infer(model: string, inputs: readonly Tensor[], options: CallOptions & { readonly id?: string } = {}) {
    const { id, ...rest } = options;
    return this.post(`/v2/models/${model}/infer`, { ...(id !== undefined && { id }), inputs }, rest);
  }

  async ready(model?: string): Promise<boolean> {
    const path = model === undefined ? "/v2/health/ready" : `/v2/models/${model}/ready`;
    return (await this.call(path)).status === 200;
  }

  async model(name: string): Promise<ModelView> {
    return parse(await this.call(`/nereid/v1/models/${name}`));
  }

  /** Process id of the runner of a model's last version. */
  async runnerPid(model: string): Promise<number> {
    return (await this.model(model)).versions.at(-1)?.runner?.pid ?? 0;
  }

  async index(): Promise<readonly IndexRow[]> {
    return parse(await this.post("/v2/repository/index"));
  }

  async statistics(model: string): Promise<StatisticsView> {
    const { model_stats } = parse<{ model_stats: StatisticsView[] }>(await this.call(`/v2/models/${model}/stats`));
    const last = model_stats.at(-1);
    if (last === undefined) throw new Error(`no statistics of '${model}'`);
    return last;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The JSON of a successful answer. */
export function parse<T>({ status, text }: Reply): T {
  if (status !== 200) throw new Error(`status ${status}: ${text}`);
  return JSON.parse(text) as T;
}

/** `error` of a failed answer. */
export function errorOf({ status, text }: Reply): string {
  if (status < 400) throw new Error(`expected an error, got ${status}: ${text}`);
  const parsed: { error?: string } = JSON.parse(text);
  return parsed.error ?? "";
}

/** Numbers of the first output. */
export function numbersOf(reply: Reply): readonly number[] {
  return parse<{ outputs: { data: number[] }[] }>(reply).outputs[0]?.data ?? [];
}

/** One FP32 input of one row or several. */
export function floats(name: string, rows: readonly (readonly number[])[]): Tensor[] {
  return [{ name, datatype: "FP32", shape: [rows.length, rows[0]?.length ?? 0], data: rows.flat() }];
}

/** One INT64 input of one element; `batched` puts a batch dimension before it. */
export function whole(name: string, value: number, batched = false): Tensor[] {
  return [{ name, datatype: "INT64", shape: batched ? [1, 1] : [1], data: [value] }];
}
