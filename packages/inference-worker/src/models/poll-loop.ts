import { NereidError } from "@nereid/errors";
import { fingerprintOf, type LocalRepository, type Observation, planPoll } from "@nereid/model-repository";
import type { Clock } from "../time/clock.ts";
import type { ModelManager } from "./model-manager.ts";

export interface PollLoopOptions {
  readonly manager: ModelManager;
  readonly repository: LocalRepository;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly log: (event: string, context: Readonly<Record<string, unknown>>) => void;
}

/** While files change the repositories are looked at this often, whatever the interval. */
const SETTLE_MS = 1_000;
/** A model that failed is tried again after one interval, then two, four, … and at least this often. */
const LONGEST_RETRY_MS = 300_000;

/**
 * POLL mode: looks at the repositories now and then and follows them. A change counts once two looks agree; a model that
 * fails is tried again when its files change, and less and less often when they do not; nothing that goes wrong with one model ends the
 * loop, and none that loads for long holds up the others.
 */
export class PollLoop {
  readonly #options: PollLoopOptions;
  readonly #acted = new Map<string, string>();
  readonly #failed = new Map<string, { readonly attempts: number; readonly againMs: number }>();
  /** Models that are being loaded or unloaded: looked at again when that is over. */
  readonly #busy = new Set<string>();
  #previous: Observation = new Map();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: PollLoopOptions) {
    this.#options = options;
  }

  /** Takes what is there as settled and loads all of it; resolves when every load has ended, well or not. */
  async loadAll(): Promise<readonly NereidError[]> {
    const now = await this.#look();
    this.#previous = now;
    return this.#act([...now.keys()], now);
  }

  start(): void {
    this.#schedule(this.#options.intervalMs);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #schedule(delayMs: number): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#poll(), delayMs);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    let unsettled = false;
    try {
      const now = await this.#look();
      const plan = planPoll(this.#settled(now), this.#previous, now);
      this.#previous = now;
      unsettled = plan.unsettled;
      const idle = (name: string) => !this.#busy.has(name);
      void this.#act(plan.load.filter(idle), now);
      for (const name of plan.unload.filter(idle)) void this.#unload(name);
    } catch (error) {
      this.#options.log("poll failed", { error: NereidError.from(error).message });
    }
    this.#schedule(unsettled ? Math.min(SETTLE_MS, this.#options.intervalMs) : this.#options.intervalMs);
  }

  async #act(names: readonly string[], now: Observation): Promise<readonly NereidError[]> {
    const failures: NereidError[] = [];
    await Promise.all(
      names.map(async (name) => {
        this.#acted.set(name, now.get(name) ?? "");
        this.#busy.add(name);
        try {
          await this.#options.manager.load(name);
          this.#failed.delete(name);
        } catch (error) {
          failures.push(NereidError.from(error));
          this.#tryAgainLater(name);
        } finally {
          this.#busy.delete(name);
        }
      }),
    );
    return failures;
  }

  async #unload(name: string): Promise<void> {
    this.#acted.delete(name);
    this.#failed.delete(name);
    this.#busy.add(name);
    try {
      await this.#options.manager.unload(name);
    } catch (error) {
      this.#options.log("poll failed", { model: name, error: NereidError.from(error).message });
    } finally {
      this.#busy.delete(name);
    }
  }

  /** What was acted on, without failed models whose time has come and that are still there: those look new to the plan. */
  #settled(now: Observation): Observation {
    const nowMs = this.#options.clock.wallMs();
    const due = (name: string) =>
      now.has(name) && (this.#failed.get(name)?.againMs ?? Number.POSITIVE_INFINITY) <= nowMs;
    return new Map([...this.#acted].filter(([name]) => !due(name)));
  }

  #tryAgainLater(name: string): void {
    const attempts = (this.#failed.get(name)?.attempts ?? 0) + 1;
    const waitMs = Math.min(LONGEST_RETRY_MS, this.#options.intervalMs * 2 ** (attempts - 1));
    this.#failed.set(name, { attempts, againMs: this.#options.clock.wallMs() + waitMs });
  }

  async #look(): Promise<Observation> {
    const seen = new Map<string, string>();
    for (const location of await this.#options.repository.list()) {
      const directories = location.kind === "unique" ? [location.directory] : location.directories;
      const prints = await Promise.all(directories.map((directory) => fingerprintOf(directory)));
      seen.set(location.name, prints.join(""));
    }
    return seen;
  }
}
