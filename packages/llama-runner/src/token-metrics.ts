import type { ControlReply } from "@nereid/inference-worker/runner-kit";

type Metric = Extract<ControlReply, { type: "metric" }>;

/** What the slots of all instances are doing now. */
export interface Load {
  readonly running: number;
  readonly waiting: number;
  readonly usedTokens: number;
  readonly roomForTokens: number;
}

const FIRST_TOKEN_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const NS_PER_S = 1e9;
const FLUSH_MS = 500;

/** Counts tokens, and tells the server of them twice a second while there is something to tell. */
export class TokenMetrics {
  readonly #send: (metric: Metric) => void;
  readonly #labels: Readonly<Record<string, string>>;
  readonly #load: () => Load;
  readonly #nowNs: () => number;
  #calls = 0;
  #prompt = 0;
  #generated = 0;
  #sinceNs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(host: {
    readonly send: (metric: Metric) => void;
    readonly labels: Readonly<Record<string, string>>;
    readonly load: () => Load;
    readonly nowNs: () => number;
  }) {
    this.#send = host.send;
    this.#labels = host.labels;
    this.#load = host.load;
    this.#nowNs = host.nowNs;
    this.#sinceNs = host.nowNs();
  }

  prompt(tokens: number): void {
    this.#prompt += tokens;
    this.touch();
  }

  generated(): void {
    this.#generated += 1;
    this.touch();
  }

  firstToken(afterNs: number): void {
    this.#tell({ ...TIME_TO_FIRST, action: "observe", amount: afterNs / NS_PER_S, buckets: FIRST_TOKEN_BUCKETS });
  }

  /** Something has changed: it will be told soon. */
  touch(): void {
    if (this.#timer !== undefined) return;
    this.#sinceNs = this.#nowNs();
    this.#timer = setTimeout(() => this.#flush(), FLUSH_MS);
    this.#timer.unref();
  }

  #flush(): void {
    this.#timer = undefined;
    const seconds = (this.#nowNs() - this.#sinceNs) / NS_PER_S;
    const { running, waiting, usedTokens, roomForTokens } = this.#load();
    if (this.#prompt > 0) this.#tell({ ...PROMPT_TOKENS, action: "increment", amount: this.#prompt });
    if (this.#generated > 0) this.#tell({ ...GENERATED_TOKENS, action: "increment", amount: this.#generated });
    this.#tell({ ...TOKENS_PER_SECOND, action: "set", amount: seconds > 0 ? this.#generated / seconds : 0 });
    this.#tell({ ...RUNNING, action: "set", amount: running });
    this.#tell({ ...WAITING, action: "set", amount: waiting });
    this.#tell({ ...KV_CACHE, action: "set", amount: roomForTokens > 0 ? usedTokens / roomForTokens : 0 });
    const idle = this.#generated === 0 && running === 0;
    this.#prompt = 0;
    this.#generated = 0;
    // The last values told are those of rest.
    if (!idle) this.touch();
  }

  #tell(metric: Omit<Metric, "type" | "call" | "labels">): void {
    this.#calls += 1;
    this.#send({ type: "metric", call: this.#calls, labels: this.#labels, ...metric });
  }
}

const PROMPT_TOKENS = {
  family: "llm_prompt_tokens_total",
  description: "Tokens of prompts",
  kind: "COUNTER",
} as const;
const GENERATED_TOKENS = {
  family: "llm_generated_tokens_total",
  description: "Tokens generated",
  kind: "COUNTER",
} as const;
const TOKENS_PER_SECOND = {
  family: "llm_tokens_per_second",
  description: "Tokens generated a second, of all requests together, over the last half second",
  kind: "GAUGE",
} as const;
const RUNNING = {
  family: "llm_requests_running",
  description: "Requests that are being generated",
  kind: "GAUGE",
} as const;
const WAITING = {
  family: "llm_requests_waiting",
  description: "Requests that wait for a slot in the model's process; others may wait in the server's queue",
  kind: "GAUGE",
} as const;
const KV_CACHE = {
  family: "llm_kv_cache_usage_ratio",
  description: "Share of the key-value cache that holds tokens, those kept for later prompts included",
  kind: "GAUGE",
} as const;
const TIME_TO_FIRST = {
  family: "llm_time_to_first_token_seconds",
  description: "From the request's arrival in the model's process to its first token",
  kind: "HISTOGRAM",
} as const;
