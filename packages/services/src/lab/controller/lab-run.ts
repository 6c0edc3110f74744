import type { Database, LabJob } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import type { Clock } from "../../clock.ts";
import { kindOf, type LabProblem } from "../lab-job.ts";
import { type Json, type LabTarget, type LabWorker, toJson } from "../lab-task.ts";
import { endJob, type HeldJob, type LabEnd, saveCheckpoint, saveProgress } from "./save-lab.ts";

export interface LabRunParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly worker: LabWorker;
  /** How a node is reached. NOT_FOUND when it is no longer one of them. */
  readonly targetOf: (nodeId: string) => Promise<LabTarget>;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const PROGRESS_EVERY_MS = 1_000;
const TRY_AGAIN_MS = 500;
const TRIES = 20;
/** Of a result or a checkpoint as JSON: more is no figure but raw data. */
const LONGEST_JSON = 8 * 1024 * 1024;

/** One job while this process runs it. */
export class LabRun {
  readonly #parts: LabRunParts;
  readonly #job: HeldJob;
  readonly #row: LabJob;
  readonly #stop = new AbortController();
  readonly #ended = new AbortController();
  #cancelled = false;
  #left = false;
  #progress: Json | undefined;
  #writes: Promise<void> = Promise.resolve();
  #telling: Promise<void> | undefined;
  /** Resolves when it has ended and that is written. */
  readonly settled: Promise<void>;

  /** Begins at once; the row is one that `beginJob` answered. */
  constructor(parts: LabRunParts, row: LabJob) {
    this.#parts = parts;
    this.#row = row;
    this.#job = { id: row.id, revision: row.revision };
    this.settled = this.#run().catch(parts.onError);
  }

  get node(): string {
    return this.#row.node;
  }

  /** Somebody wants it to end: it ends as cancelled, with what was measured so far. */
  cancel(): void {
    this.#cancelled = true;
    this.#stop.abort();
  }

  /** This process must not, or can no longer, run it: nothing is written about its end. */
  leave(): void {
    this.#left = true;
    this.#stop.abort();
  }

  async #run(): Promise<void> {
    const end = await this.#work();
    this.#ended.abort();
    await this.#telling;
    if (!this.#left && this.#progress !== undefined) this.#write(saveProgress, this.#progress);
    await this.#writes;
    if (this.#left) return;
    const { db, clock } = this.#parts;
    const atMs = clock.now();
    await this.#persist(() => endJob(db, this.#job, { ...end, atMs }));
  }

  async #work(): Promise<LabEnd> {
    const { worker, targetOf } = this.#parts;
    const { id, kind, node, model, spec, checkpoint } = this.#row;
    try {
      const target = await targetOf(node);
      const result = await worker.run(
        { id, kind: kindOf(kind), model, spec: toJson(spec), checkpoint: toJson(checkpoint), target },
        {
          signal: this.#stop.signal,
          progress: (value) => this.#take(value),
          checkpoint: (value) => this.#write(saveCheckpoint, inSize(value, "checkpoint")),
        },
      );
      return { phase: this.#cancelled ? "cancelled" : "succeeded", result: inSize(result, "result"), problem: null };
    } catch (thrown) {
      if (this.#cancelled) return { phase: "cancelled", result: null, problem: null };
      return { phase: "failed", result: null, problem: problemOf(thrown) };
    }
  }

  #take(value: Json): void {
    this.#progress = value;
    this.#telling ??= this.#tell().finally(() => {
      this.#telling = undefined;
    });
  }

  /** Writes the newest progress, and then waits: what comes meanwhile replaces what came before. */
  async #tell(): Promise<void> {
    const { signal } = this.#ended;
    while (this.#progress !== undefined && !signal.aborted) {
      const value = this.#progress;
      this.#progress = undefined;
      this.#write(saveProgress, value);
      await this.#writes;
      await this.#parts.pause(PROGRESS_EVERY_MS, signal).catch(() => undefined);
    }
  }

  #write(save: typeof saveProgress, value: Json): void {
    this.#writes = this.#writes.then(async () => {
      if (this.#left) return;
      try {
        // Who runs it now writes about it.
        if (!(await save(this.#parts.db, this.#job, value))) this.leave();
      } catch (error) {
        // The database may be away; the next write brings more than this one.
        this.#parts.onError(error);
      }
    });
  }

  /** The end must not be lost because the database is away for a moment. */
  async #persist(save: () => Promise<boolean>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await save();
        return;
      } catch (error) {
        if (attempt >= TRIES || this.#left) throw error;
        await this.#parts.pause(TRY_AGAIN_MS, new AbortController().signal);
      }
    }
  }
}

function inSize(value: Json, what: string): Json {
  if (JSON.stringify(value).length <= LONGEST_JSON) return value;
  throw new NereidError("PAYLOAD_TOO_LARGE", `the ${what} is too long to be kept`, {
    fix: "ask for fewer levels or variants",
  });
}

function problemOf(thrown: unknown): LabProblem {
  const { code, message, fix } = NereidError.from(thrown);
  return { code, message, fix: fix ?? null };
}
