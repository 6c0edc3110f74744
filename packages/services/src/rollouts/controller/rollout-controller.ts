import { giveLeaseBack, type HeldLease, takeLease } from "../../lease.ts";
import { toRollout } from "../rollout-record.ts";
import { RolloutRunner, type RunnerParts } from "./rollout-runner.ts";

export interface RolloutControllerOptions extends RunnerParts {
  /** Names this process among all that use the database. */
  readonly holder: string;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Between two looks while something is rolled out, and while nothing is. */
  readonly everyMs?: number;
  readonly idleMs?: number;
  /** A controller that is silent for this long is taken to be gone. */
  readonly leaseMs?: number;
}

const LEASE = "rollouts";

/** Carries on all rollouts of the database, as long as it is the one process that may. */
export class RolloutController {
  readonly #options: RolloutControllerOptions & { everyMs: number; idleMs: number; leaseMs: number };
  readonly #stopped = new AbortController();
  readonly #runners = new Map<string, RolloutRunner>();
  #lease: HeldLease | null = null;
  #running: Promise<void> | undefined;

  constructor(options: RolloutControllerOptions) {
    this.#options = { everyMs: 250, idleMs: 1_000, leaseMs: 4_000, ...options };
  }

  /** Begins; further calls do nothing. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Ends after what is under way and lets another process take over at once. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    await Promise.all([...this.#runners.values()].map((runner) => runner.settled()));
    if (this.#lease !== null) await giveLeaseBack(this.#options.db, this.#lease).catch(this.#options.onError);
  }

  async #run(): Promise<void> {
    const { pause, everyMs, idleMs, onError } = this.#options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      // The database may be away, and will come back.
      const busy = await this.#look().catch((error: unknown) => {
        onError(error);
        return false;
      });
      await pause(busy ? everyMs : idleMs, signal).catch(() => undefined);
    }
  }

  /** Looks at every rollout once; answers whether there is one to look after. */
  async #look(): Promise<boolean> {
    const { db, clock, holder, leaseMs, onError } = this.#options;
    const active = await db.rollout.findMany({ where: { active: true }, select: { id: true, revision: true } });
    for (const id of this.#runners.keys()) if (!active.some((one) => one.id === id)) this.#runners.delete(id);
    if (active.length === 0) return false;
    const lease = await takeLease(db, { name: LEASE, holder, nowMs: clock.now(), forMs: leaseMs });
    // Whoever had it meanwhile measured on: what is known here is old.
    if (lease?.fence !== this.#lease?.fence) this.#runners.clear();
    this.#lease = lease;
    if (lease === null) return false;
    await Promise.all(
      active.map(async ({ id, revision }) => {
        try {
          const runner = await this.#runnerOf(id, revision);
          if (runner !== undefined && !(await runner.advance(lease))) this.#runners.delete(id);
        } catch (error) {
          this.#runners.delete(id);
          onError(error);
        }
      }),
    );
    return true;
  }

  async #runnerOf(id: string, revision: number): Promise<RolloutRunner | undefined> {
    const known = this.#runners.get(id);
    if (known?.revision === revision) return known;
    const row = await this.#options.db.rollout.findUnique({ where: { id } });
    if (row === null) return undefined;
    const runner = new RolloutRunner(this.#options, toRollout(row));
    this.#runners.set(id, runner);
    return runner;
  }
}
