import type { NereidError } from "@nereid/errors";
import type { BatchEntry, Job } from "../models/job.ts";
import { itemsOf } from "../models/lay-out.ts";
import type { ModelSpec, TensorSpec } from "../models/model-spec.ts";
import { levelOf } from "../scheduler/priority-rules.ts";
import type { BatchNotes, BatchReason, RefusalReason } from "../scheduler/request-scheduler.ts";
import { RecentTraffic } from "./recent-traffic.ts";
import { ShapeTable } from "./shape-table.ts";

/** Requests of one priority level that left the queue, or never came into it, without being executed. */
export interface PriorityRefusals {
  /** 0 = the model has no levels. */
  readonly level: number;
  /** The queue was full, or another limit of it was reached. */
  readonly rejected: number;
  /** They waited longer than the queue policy, or the client's deadline, allows. */
  readonly timedOut: number;
  readonly cancelled: number;
  /** For another reason, such as an unload. */
  readonly other: number;
}

type Kind = Exclude<keyof PriorityRefusals, "level">;

/** Sizes and shapes that are told apart; a model with more has no typical one. */
const MOST_MET = 4096;

/** What a loaded version remembers about its batches and requests, for people. Recording costs a few additions. */
export class VersionFacts {
  readonly shapes = new ShapeTable();
  readonly traffic = new RecentTraffic();
  readonly #spec: ModelSpec;
  readonly #ragged: ReadonlySet<TensorSpec>;
  readonly #closed = new Map<BatchReason, number>();
  readonly #refusals = new Map<number, Record<Kind, number>>();
  /** Batch sizes and shapes that were executed. */
  readonly #met = new Set<string>();

  constructor(spec: ModelSpec) {
    this.#spec = spec;
    this.#ragged = new Set(spec.inputs.filter(({ ragged }) => ragged === true));
  }

  /** Batches by what closed them. */
  get closed(): Readonly<Partial<Record<BatchReason, number>>> {
    return Object.fromEntries(this.#closed);
  }

  /** By level, ascending; only levels that refused something. */
  get refusals(): readonly PriorityRefusals[] {
    return [...this.#refusals].sort(([a], [b]) => a - b).map(([level, counts]) => ({ level, ...counts }));
  }

  /** A request has come to the queue; returns what the recent traffic knows it by. */
  arrived({ enqueuedNs, batchSize, shapeKey, cost, request }: Job): number {
    const { priority, timeoutNs, byteLength } = request;
    return this.traffic.arrived({ atNs: enqueuedNs, batchSize, shapeKey, priority, timeoutNs, byteLength, cost });
  }

  /** Answers whether it is the first batch of its size and shape since the version was loaded. */
  batchSent(entries: readonly BatchEntry[], { reason }: BatchNotes): boolean {
    this.#closed.set(reason, (this.#closed.get(reason) ?? 0) + 1);
    const first = entries[0]?.job;
    if (first === undefined) return false;
    const key = this.#keyOf(first);
    if (reason === "other-shape") this.shapes.recordCutShort(key);
    const met = `${itemsOf(entries)} ${key}`;
    if (this.#met.has(met) || this.#met.size >= MOST_MET) return false;
    this.#met.add(met);
    return true;
  }

  answered(
    job: Job,
    { totalNs, atMs, mates }: { readonly totalNs: number; readonly atMs: number; readonly mates: number },
  ): void {
    this.traffic.answered(job.arrival, totalNs);
    this.shapes.record(this.#keyOf(job), { totalNs, atMs, alone: mates === 1 }, () => {
      const start = this.#spec.maxBatchSize > 0 ? 1 : 0;
      return job.request.inputs.map(({ spec: { name }, shape }) => ({ name, shape: shape.slice(start) }));
    });
  }

  /** A request that is not executed. It waited in the queue, unless its reason is `FULL`. */
  refused({ request }: Job, error: NereidError, reason: RefusalReason | "FULL"): void {
    const { priorities } = this.#spec;
    const level = priorities.levels === 0 ? 0 : levelOf(priorities, request.priority);
    const counts = this.#refusals.get(level) ?? { rejected: 0, timedOut: 0, cancelled: 0, other: 0 };
    counts[kindOf(error, reason)] += 1;
    this.#refusals.set(level, counts);
  }

  /** As the scheduler tells shapes apart, with those of ragged inputs, which it does not; empty where all are fixed. */
  #keyOf({ request }: Job): string {
    if (this.#ragged.size === 0) return request.shapeKey;
    let key = request.shapeKey;
    for (const { spec, shape } of request.inputs)
      if (this.#ragged.has(spec)) key += `${spec.name}=${shape.slice(1).join("x")};`;
    return key;
  }
}

function kindOf({ details }: NereidError, reason: RefusalReason | "FULL"): Kind {
  if (reason === "FULL") return "rejected";
  // Both are refused while they wait, and only by a time that is over.
  if (reason === "REJECTED" || details["reason"] === "client-deadline") return "timedOut";
  return reason === "CANCELED" ? "cancelled" : "other";
}
