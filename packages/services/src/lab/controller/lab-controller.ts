import { giveLeaseBack, type HeldLease, takeLease } from "../../lease.ts";
import { kindOf } from "../lab-job.ts";
import { type ActiveJob, decideLab, type LabMove } from "./decide-lab.ts";
import { LabRun, type LabRunParts } from "./lab-run.ts";
import { beginJob, endJob } from "./save-lab.ts";

export interface LabControllerOptions extends LabRunParts {
  /** Names this process among all that use the database. */
  readonly holder: string;
  /** Between two looks while there is something to do, and while there is nothing. */
  readonly everyMs?: number;
  readonly idleMs?: number;
  /** A controller that is silent for this long is taken to be gone. */
  readonly leaseMs?: number;
}

const LEASE = "lab";

/** Begins the jobs of the lab, one at a time on each server, and writes how they stand, as long as it is the one process that may. */
export class LabController {
  readonly #options: LabControllerOptions & { everyMs: number; idleMs: number; leaseMs: number };
  readonly #stopped = new AbortController();
  readonly #runs = new Map<string, LabRun>();
  #lease: HeldLease | null = null;
  #running: Promise<void> | undefined;

  constructor(options: LabControllerOptions) {
    this.#options = { everyMs: 500, idleMs: 1_000, leaseMs: 8_000, ...options };
  }

  /** Begins; further calls do nothing. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Leaves what runs, which another process goes on with or gives up, and lets it take over at once. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    await this.#leaveAll();
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

  /** Looks at every active job once; answers whether there is one. */
  async #look(): Promise<boolean> {
    const { db, clock, holder, leaseMs } = this.#options;
    const rows = await db.labJob.findMany({
      where: { active: true },
      select: { id: true, kind: true, node: true, phase: true, cancelAsked: true },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    });
    if (rows.length === 0 && this.#runs.size === 0) return false;
    const lease = await takeLease(db, { name: LEASE, holder, nowMs: clock.now(), forMs: leaseMs });
    // Whoever had it meanwhile has taken over what ran here.
    if (lease?.fence !== this.#lease?.fence) await this.#leaveAll();
    this.#lease = lease;
    if (lease === null) return false;
    const jobs = rows.map(
      ({ id, kind, node, phase, cancelAsked }): ActiveJob => ({
        id,
        kind: kindOf(kind),
        node,
        phase: phase === "running" ? "running" : "waiting",
        cancelAsked,
      }),
    );
    for (const move of decideLab(jobs, new Set(this.#runs.keys()))) await this.#make(move, lease);
    return true;
  }

  async #make({ kind, id }: LabMove, lease: HeldLease): Promise<void> {
    if (kind === "stop") return this.#runs.get(id)?.cancel();
    const { db, clock } = this.#options;
    const row = await beginJob(db, { id, lease, nowMs: clock.now() });
    if (row === null) return;
    const atMs = clock.now();
    if (kind === "cancel") {
      await endJob(db, row, { phase: "cancelled", result: null, problem: null, atMs });
    } else if (kind === "lose") {
      await endJob(db, row, { phase: "failed", result: null, problem: LOST, atMs });
    } else {
      const run = new LabRun(this.#options, row);
      this.#runs.set(id, run);
      void run.settled.then(() => {
        if (this.#runs.get(id) === run) this.#runs.delete(id);
      });
    }
  }

  async #leaveAll(): Promise<void> {
    const runs = [...this.#runs.values()];
    for (const run of runs) run.leave();
    await Promise.all(runs.map(({ settled }) => settled));
    this.#runs.clear();
  }
}

const LOST = { code: "UNAVAILABLE", message: "the dashboard was restarted while it ran", fix: "run it again" } as const;
