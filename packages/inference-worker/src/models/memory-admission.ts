import { setTimeout as pause } from "node:timers/promises";
import { NereidError } from "@nereid/errors";
import { fileBytesOf } from "./file-bytes.ts";
import { decideMemory, estimatedBytes, type Holding } from "./memory-budget.ts";
import type { VersionPlan } from "./model-plan.ts";

export interface MemoryOptions {
  /** Bytes of all models together; undefined = no budget, only what the machine has. */
  readonly budgetBytes: number | undefined;
  /** What the machine can still give; undefined where that is not known. */
  readonly freeBytes: () => number | undefined;
  /** How long a load waits for models that could make room but always have requests; default 10 s. */
  readonly busyWithinMs?: number;
}

export interface MemoryHost {
  /** What is loaded and what is just ending; without what may be unloaded to make room for `model` itself. */
  holdings(model: string): readonly Holding[];
  /** Unloads a model that was loaded on demand, unless it is needed again. */
  evict(model: string): Promise<void>;
}

/** Of a version plan: where its files lie, and whether it gets a process. */
export interface SizedVersion {
  readonly key: string;
  readonly directory: string;
  readonly work: { readonly kind: VersionPlan["work"]["kind"] };
}

export interface LoadToAdmit {
  readonly model: string;
  readonly versions: readonly SizedVersion[];
  readonly reload: boolean;
  readonly signal: AbortSignal;
  /** Told once when the load has to wait for memory. */
  readonly onWait: () => void;
}

/** Room for one load, kept until what it loaded is seen as loaded. */
export interface Admission {
  release(): void;
}

const LOOK_AGAIN_MS = 500;
/** A look reads what every process holds; each request that ends is news. */
const CALM_MS = 20;
/** How long a load waits for models that could make room but always have requests. */
const BUSY_WITHIN_MS = 10_000;
const REMEMBERED = 2_000;

/** Lets loads in one after the other as there is memory for them; those on their way count with what they will take. */
export class MemoryAdmission {
  readonly #options: MemoryOptions;
  readonly #host: MemoryHost;
  readonly #busyWithinMs: number;
  readonly #loading = new Map<object, Holding>();
  readonly #took = new Map<string, number>();
  #wake: (() => void)[] = [];

  constructor(options: MemoryOptions, host: MemoryHost) {
    this.#options = options;
    this.#host = host;
    this.#busyWithinMs = options.busyWithinMs ?? BUSY_WITHIN_MS;
  }

  /** UNAVAILABLE, with what is needed, what is free and who holds how much, when there is no room and none can be made. */
  async admit(load: LoadToAdmit): Promise<Admission> {
    const needBytes = await this.#need(load.versions);
    const { budgetBytes, freeBytes } = this.#options;
    const { model, reload } = load;
    let told = false;
    let patience: AbortSignal | undefined;
    for (;;) {
      load.signal.throwIfAborted();
      const decision = decideMemory({
        model,
        needBytes,
        budgetBytes,
        freeBytes: freeBytes(),
        holdings: [...this.#host.holdings(model), ...this.#loading.values()],
        reload,
      });
      if (decision.kind === "fits") return this.#reserve(model, needBytes);
      if (decision.kind === "refuse" || (decision.kind === "wait-for-requests" && patience?.aborted === true))
        throw new NereidError("UNAVAILABLE", decision.message);
      patience =
        decision.kind === "wait-for-requests" ? (patience ?? AbortSignal.timeout(this.#busyWithinMs)) : undefined;
      if (!told) load.onWait();
      told = true;
      const change = this.#change(load.signal);
      if (decision.kind === "evict") await this.#host.evict(decision.model);
      await change;
    }
  }

  /** Remembers what a version took, for its next load. */
  remember(key: string, bytes: number): void {
    this.#took.delete(key);
    this.#took.set(key, bytes);
    const [oldest] = this.#took.keys();
    if (this.#took.size > REMEMBERED && oldest !== undefined) this.#took.delete(oldest);
  }

  /** Something was loaded, or has ended. */
  changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  async #need(versions: readonly SizedVersion[]): Promise<number> {
    const runners = versions.filter(({ work }) => work.kind === "runner");
    const each = await Promise.all(
      runners.map(async ({ key, directory }) => this.#took.get(key) ?? estimatedBytes(await fileBytesOf(directory))),
    );
    return each.reduce((sum, bytes) => sum + bytes, 0);
  }

  #reserve(model: string, bytes: number): Admission {
    const mine = {};
    this.#loading.set(mine, { name: `${model} (loading)`, bytes, kind: "loading" });
    return {
      release: () => {
        if (this.#loading.delete(mine)) this.changed();
      },
    };
  }

  /** Also after a while without news: the machine's memory is not only ours. */
  async #change(signal: AbortSignal): Promise<void> {
    const timer = new AbortController();
    const news = new Promise<void>((resolve) => this.#wake.push(resolve));
    const calm = pause(CALM_MS, undefined, { signal }).catch(() => undefined);
    const late = pause(LOOK_AGAIN_MS, undefined, { signal: AbortSignal.any([signal, timer.signal]) });
    await Promise.race([news, late.catch(() => undefined)]);
    timer.abort();
    await calm;
  }
}
