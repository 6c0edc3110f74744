import type { OutputTensor } from "@nereid/protocol";
import type { BatchNotes } from "../scheduler/request-scheduler.ts";
import type { Slab } from "../shm/slab.ts";
import type { ModelInstance } from "./instance-pool.ts";
import type { BatchEntry, Job } from "./job.ts";

/** One batch on its way through an instance, and whom to tell how far it is. */
export interface BatchRun {
  readonly instance: ModelInstance;
  readonly slab: Slab;
  readonly entries: readonly BatchEntry[];
  readonly notes: BatchNotes;
  /** The first of its size and shape since the version was loaded. */
  readonly first: boolean;
  readonly serial: number;
  readonly startNs: number;
  /** The instance can take the next batch; exactly once. `failed`: how long it took says nothing. */
  readonly free: (endNs: number, failed?: boolean) => void;
  /** The states a request of a sequence left behind; undefined when it failed. Before `free`. */
  readonly settleState: (job: Job, outputs: readonly OutputTensor[] | undefined) => void;
  /** The backend wants the request again (iterative sequences). Before `free`. */
  readonly reschedule: (job: Job) => void;
  /** Nothing more comes of the batch; exactly once. */
  readonly done: () => void;
}
