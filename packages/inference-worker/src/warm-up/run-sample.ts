import { NereidError } from "@nereid/errors";
import { ModelStatistics } from "@nereid/telemetry";
import { BusySeconds } from "../facts/busy-seconds.ts";
import { VersionFacts } from "../facts/version-facts.ts";
import { BusyShare } from "../models/busy-share.ts";
import type { ExecutionContext } from "../models/execution-context.ts";
import type { BatchEntry, Job } from "../models/job.ts";
import type { ModelSpec } from "../models/model-spec.ts";
import { runBatch } from "../models/run-batch.ts";
import { runRequests } from "../models/run-requests.ts";
import type { InstanceChannel } from "../runners/instance-channel.ts";
import type { Slab } from "../shm/slab.ts";
import type { Clock } from "../time/clock.ts";
import type { SampleRequest } from "./sample-requests.ts";

/** Where samples are executed. Nothing of it is counted: the statistics are thrown away. */
export interface SampleTarget {
  readonly channel: InstanceChannel;
  readonly slab: Slab;
  readonly spec: ModelSpec;
  readonly clock: Clock;
  /** 0 = no limit. */
  readonly timeoutMs: number;
}

/**
 * Executes the requests as one batch, on the way that those of clients take, and waits for the last answer of each. Returns what
 * failed; rejects when it takes too long.
 */
export async function runSample(
  target: SampleTarget,
  requests: readonly SampleRequest[],
): Promise<readonly NereidError[]> {
  const { channel, slab, spec, clock, timeoutMs } = target;
  const errors: NereidError[] = [];
  const entries = requests.map(
    (sample): BatchEntry => ({
      job: jobOf(sample, { nowNs: clock.nowNs(), onError: (error) => errors.push(error) }),
      request: sample.request,
      ...(sample.turn !== undefined && { turn: sample.turn }),
    }),
  );
  const context: ExecutionContext = {
    spec,
    clock,
    statistics: new ModelStatistics({ nowMs: () => clock.wallMs() }),
    flights: undefined,
    facts: new VersionFacts(spec),
    onFailed: undefined,
    hint: { bytesPerItem: 0 },
  };
  let timer: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    if (timeoutMs > 0) timer = setTimeout(() => reject(tooLong(timeoutMs)), timeoutMs);
    const run = spec.execution === "batch" ? runBatch : runRequests;
    run(context, {
      instance: {
        name: "warm-up",
        channel,
        spec: undefined,
        index: channel.index,
        membership: undefined,
        executions: 0,
        inFlight: 1,
        aheadRequests: 0,
        held: false,
        lastEndNs: 0,
        busyNs: 0,
        busySinceNs: 0,
        share: new BusyShare(0),
        seconds: new BusySeconds(0),
      },
      slab,
      entries,
      notes: { reason: "single", leftWaiting: 0 },
      first: true,
      serial: 0,
      startNs: clock.nowNs(),
      free: () => undefined,
      settleState: () => undefined,
      reschedule: () => undefined,
      done: resolve,
    });
  }).finally(() => clearTimeout(timer));
  return errors;
}

function jobOf(
  { own }: SampleRequest,
  { nowNs, onError }: { readonly nowNs: number; readonly onError: (error: NereidError) => void },
): Job {
  return {
    serial: 0,
    arrival: -1,
    request: own,
    batchSize: own.batchSize,
    shapeKey: own.shapeKey,
    enqueuedNs: nowNs,
    cost: 1,
    sink: { answer: (answer) => answer.release(), fail: onError },
    position: 0,
    stop: undefined,
    cancelled: false,
    refuse: onError,
  };
}

function tooLong(timeoutMs: number): NereidError {
  return new NereidError("UNAVAILABLE", `it took longer than ${timeoutMs} ms, the longest time of an execution`);
}
