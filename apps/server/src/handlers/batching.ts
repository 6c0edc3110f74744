import { readFileSync } from "node:fs";
import { type ServedVersion, sortedVersions } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";
import { entryOf } from "./entry-of.ts";
import { instanceFacts } from "./instances.ts";

const NS_PER_US = 1000;

/** `GET /nereid/v1/models/M/batching`: how batches of each served version came about, and how busy its instances are. */
export function batchingFacts(context: ServerContext, name: string) {
  const versions = sortedVersions(entryOf(context, name)).flatMap(({ served }) => served ?? []);
  return { versions: versions.map(versionFacts) };
}

function versionFacts(served: ServedVersion) {
  const { spec, statistics, facts, pid } = served;
  const { scheduling, priorities } = spec;
  const memory = pid === undefined ? undefined : served.measureMemory();
  const threads = pid === undefined ? undefined : threadsOf(pid);
  return {
    version: spec.version,
    scheduler: scheduling.kind,
    maxBatchSize: spec.maxBatchSize,
    preferredBatchSizes: scheduling.kind === "dynamic" ? scheduling.batch.preferredBatchSizes : [],
    maxQueueDelayUs: scheduling.kind === "dynamic" ? scheduling.batch.maxQueueDelayNs / NS_PER_US : 0,
    priorityLevels: priorities.levels,
    defaultPolicy: policyOf(priorities.defaultPolicy),
    policies: [...priorities.byLevel].map(([level, policy]) => ({ level, ...policyOf(policy) })),
    executions: statistics.executions,
    inferences: statistics.inferences,
    batchSizes: statistics.batchSizes,
    closed: facts?.closed ?? {},
    wait: statistics.histogram("queue").toSparse(),
    refusals: facts?.refusals ?? [],
    pending: statistics.pending,
    instances: served.instanceStates.map(instanceFacts),
    ...(pid !== undefined && {
      runner: {
        pid,
        restarts: served.restarts,
        ...(threads !== undefined && { threads }),
        ...(memory?.currentBytes !== undefined && { rssBytes: memory.currentBytes }),
        ...(memory?.peakBytes !== undefined && { peakBytes: memory.peakBytes }),
      },
    }),
  };
}

function policyOf(policy: ServedVersion["spec"]["priorities"]["defaultPolicy"]) {
  const { maxQueueSize, defaultTimeoutNs, allowTimeoutOverride, timeoutAction } = policy;
  return { maxQueueSize, timeoutUs: defaultTimeoutNs / NS_PER_US, allowTimeoutOverride, timeoutAction };
}

/** Threads of a process; undefined where it is gone or there is no /proc. */
function threadsOf(pid: number): number | undefined {
  try {
    const count = /^Threads:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    return count === undefined ? undefined : Number(count);
  } catch {
    return undefined;
  }
}
