import { decideDynamic, decideSingle } from "../scheduler/decide-batch.ts";
import type { BatchNotes, RequestScheduler } from "../scheduler/request-scheduler.ts";
import { Scheduler } from "../scheduler/scheduler.ts";
import type { SequencePolicy } from "../sequence/sequence-policy.ts";
import { augment, SequenceScheduler, type SlotEntry } from "../sequence/sequence-scheduler.ts";
import type { Clock } from "../time/clock.ts";
import type { InstancePool } from "./instance-pool.ts";
import type { BatchEntry, Job } from "./job.ts";
import type { ModelSpec } from "./model-spec.ts";

export interface SchedulerSetup {
  readonly spec: ModelSpec;
  readonly clock: Clock;
  readonly overloadCode: "UNAVAILABLE" | "TOO_MANY_REQUESTS" | undefined;
  readonly log: (text: string) => void;
  readonly pool: InstancePool;
  /** Executes a batch, on this instance where one is named. */
  readonly start: (entries: readonly BatchEntry[], notes: BatchNotes, instance: number | undefined) => void;
}

export interface CreatedScheduler {
  readonly scheduler: RequestScheduler<Job>;
  readonly sequences: SequenceScheduler<Job> | undefined;
  readonly ordering: Ordering;
}

/** What the order of answers follows (`preserve_ordering`): how requests came, or how each instance began to execute them. */
export type Ordering = "none" | "arrival" | "execution";

/** The scheduler that a model's configuration asks for (scheduling.md §1). */
export function createScheduler(setup: SchedulerSetup): CreatedScheduler {
  const { spec, clock, pool, overloadCode } = setup;
  const { scheduling } = spec;
  if (scheduling.kind === "sequence") return sequenceScheduler(setup, scheduling.policy);
  const scheduler = new Scheduler<Job>({
    decide: scheduling.kind === "dynamic" ? decideDynamic(scheduling.batch) : decideSingle,
    priorities: spec.priorities,
    admission: spec.admission,
    clock,
    instances: () => pool.instances.length,
    target: {
      capacity: () => pool.capacity,
      start: (batch, notes) =>
        setup.start(
          batch.map((job) => ({ job, request: job.request })),
          notes,
          undefined,
        ),
    },
    ...(overloadCode !== undefined && { overloadCode }),
  });
  const ordered = scheduling.kind === "dynamic" && scheduling.preserveOrdering;
  return { scheduler, sequences: undefined, ordering: ordered ? "arrival" : "none" };
}

function sequenceScheduler(
  { spec, clock, log, pool, start }: SchedulerSetup,
  policy: SequencePolicy,
): CreatedScheduler {
  const entryOf = (entry: SlotEntry<Job>, slots: readonly SlotEntry<Job>[]): BatchEntry =>
    entry.kind === "request"
      ? { job: entry.item, request: augment(entry.item.request, entry, policy), turn: entry.place }
      : { job: undefined, request: augment(exampleOf(slots), entry, policy) };
  const sequences = new SequenceScheduler<Job>({
    policy,
    modelName: spec.name,
    // A script may remember what it likes; a graph remembers nothing.
    modelKeepsState: spec.execution === "requests",
    clock,
    log,
    target: {
      get instances() {
        return pool.instances.length;
      },
      idle: (instance) => pool.isIdle(instance),
      start: (instance, slots, notes) =>
        start(
          slots.map((entry) => entryOf(entry, slots)),
          notes,
          instance,
        ),
    },
  });
  // It is the inner batcher's order: a request in the backlog may need the slot of a sequence that goes on only once it is answered.
  // An instance has one batch at a time, so that only decoupled models can answer in another order; rescheduled ones answer later.
  const ordered = policy.strategy.kind === "oldest" && policy.strategy.preserveOrdering;
  const matters = spec.decoupled && !policy.iterative;
  return { scheduler: sequences, sequences, ordering: ordered && matters ? "execution" : "none" };
}

/** A real request of the batch, whose shapes a null request takes. */
function exampleOf(slots: readonly SlotEntry<Job>[]) {
  const real = slots.find((slot) => slot.kind === "request");
  if (real === undefined) throw new RangeError("a batch of sequences has no request");
  return real.item.request;
}
