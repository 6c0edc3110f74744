import { NereidError } from "@nereid/errors";
import { type ServedVersion, systemClock, type WhatIfSetting, whatIf } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";
import { servedVersion } from "./instances.ts";

const NS_PER_US = 1000;
const NS_PER_S = 1e9;
const MOST_SECONDS = 900;
const MOST_INSTANCES = 256;
const MOST_ITEMS = 4096;
const LONGEST_DELAY_US = 60_000_000;

/**
 * `GET /nereid/v1/models/M/simulation?version=&seconds=&instances=&maxBatchSize=&maxQueueDelayUs=&preferred=4,8`: what would have become of
 * the requests of the last seconds with other instances and batches. What is left out is as it is.
 */
export async function simulateTraffic(context: ServerContext, name: string, query: URLSearchParams) {
  const served = servedVersion(context, name, query.get("version") ?? undefined);
  const { spec, facts, statistics } = served;
  if (facts === undefined || spec.scheduling.kind === "sequence" || spec.decoupled)
    throw new NereidError("UNSUPPORTED", `model '${name}' cannot be simulated`, {
      fix: "only models with the default or the dynamic batcher can be, not ensembles, sequences and decoupled models",
    });
  const seconds = numberIn(query, "seconds", { least: 1, most: MOST_SECONDS }) ?? 300;
  const present = presentSetting(served);
  const traffic = facts.traffic.since(systemClock.nowNs() - seconds * NS_PER_S);
  const sinceLoad = statistics
    .toStatisticsJson(name, spec.version)
    .batch_stats.map(({ batch_size, compute_input, compute_infer, compute_output }) => ({
      batchSize: batch_size,
      executions: compute_infer.count,
      ns: (compute_input.ns + compute_infer.ns + compute_output.ns) / Math.max(1, compute_infer.count),
    }));
  const proposed = proposedSetting(served, present, query);
  const { priorities, admission } = spec;
  const { sendsAhead } = served;
  const question = { present, proposed, priorities, admission, sendsAhead, traffic, sinceLoad };
  const answer = await inTurn(() => whatIf(question));
  const first = traffic.arrivals[0]?.atNs ?? 0;
  const last = traffic.arrivals.at(-1)?.atNs ?? 0;
  return {
    version: spec.version,
    arrivals: traffic.arrivals.length,
    isWhole: traffic.isWhole,
    spanSeconds: (last - first) / NS_PER_S,
    setting: { present: settingFacts(present), proposed: settingFacts(proposed) },
    ...answer,
  };
}

let running: Promise<unknown> = Promise.resolve();
let waiting = 0;
const MOST_WAITING = 4;

/** One after the other: what they take of the processor is taken from requests. */
function inTurn<T>(simulate: () => Promise<T>): Promise<T> {
  if (waiting >= MOST_WAITING)
    throw new NereidError("UNAVAILABLE", "other simulations are running", { fix: "ask again in some seconds" });
  waiting += 1;
  const done = running.then(simulate).finally(() => {
    waiting -= 1;
  });
  running = done.catch(() => undefined);
  return done;
}

function presentSetting({ spec, instanceStates }: ServedVersion): WhatIfSetting {
  const { scheduling } = spec;
  return {
    instances: Math.max(1, instanceStates.filter(({ passive, phase }) => !passive && phase === "serving").length),
    batch: scheduling.kind === "dynamic" ? scheduling.batch : undefined,
  };
}

function proposedSetting({ spec }: ServedVersion, present: WhatIfSetting, query: URLSearchParams): WhatIfSetting {
  const instances = numberIn(query, "instances", { least: 1, most: MOST_INSTANCES }) ?? present.instances;
  const maxBatchSize = numberIn(query, "maxBatchSize", { least: 1, most: MOST_ITEMS });
  const delayUs = numberIn(query, "maxQueueDelayUs", { least: 0, most: LONGEST_DELAY_US });
  const preferred = query.get("preferred");
  if (maxBatchSize === undefined && delayUs === undefined && preferred === null)
    return { instances, batch: present.batch };
  if (spec.maxBatchSize === 0)
    throw new NereidError("INVALID_ARGUMENT", `model '${spec.name}' takes no batches: it has no batch dimension`, {
      fix: "ask for another number of instances only",
    });
  const largest = maxBatchSize ?? present.batch?.maxBatchSize ?? spec.maxBatchSize;
  // As the batcher has it: without preferred sizes the largest is the one.
  const sizes = preferred === null ? (present.batch?.preferredBatchSizes ?? []) : sizesIn(preferred);
  const tooLarge = sizes.filter((size) => size > largest || size === 0);
  if (preferred !== null && tooLarge.length > 0)
    throw new NereidError("INVALID_ARGUMENT", `'preferred' has ${tooLarge.join(", ")}, which no batch can have`, {
      fix: `give sizes from 1 to ${largest}, the largest batch of this question`,
    });
  const usable = sizes.filter((size) => size <= largest);
  return {
    instances,
    batch: {
      maxBatchSize: largest,
      preferredBatchSizes: usable.length === 0 ? [largest] : usable,
      maxQueueDelayNs: delayUs === undefined ? (present.batch?.maxQueueDelayNs ?? 0) : delayUs * NS_PER_US,
    },
  };
}

function settingFacts({ instances, batch }: WhatIfSetting) {
  return {
    instances,
    maxBatchSize: batch?.maxBatchSize ?? 1,
    preferredBatchSizes: batch?.preferredBatchSizes ?? [],
    maxQueueDelayUs: (batch?.maxQueueDelayNs ?? 0) / NS_PER_US,
  };
}

function sizesIn(text: string): readonly number[] {
  if (!/^(\d{1,4}(,\d{1,4}){0,31})?$/.test(text))
    throw new NereidError("INVALID_ARGUMENT", "'preferred' must be up to 32 sizes with commas between them");
  const sizes = text.split(",").map(Number);
  return text === "" ? [] : [...new Set(sizes)].sort((a, b) => a - b);
}

function numberIn(
  query: URLSearchParams,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most))
    throw new NereidError("INVALID_ARGUMENT", `'${name}' must be a whole number from ${least} to ${most}`);
  return value;
}
