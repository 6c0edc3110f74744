import { setTimeout as pause } from "node:timers/promises";
import { NereidError } from "@nereid/errors";
import type { RecentArrival, TrafficWindow } from "../facts/recent-traffic.ts";
import type { AdmissionLimits, BatchPolicy, PriorityPolicy } from "../scheduler/policy.ts";
import { recorded } from "./arrivals.ts";
import { seededRandom } from "./random.ts";
import { type ServicePoint, type ServiceTimes, serviceTimes } from "./service-times.ts";
import { type SimulatedScheduler, Simulation } from "./simulate.ts";
import { measuredFigures, simulatedFigures, type WhatIfFigures } from "./what-if-figures.ts";

/** A number of instances and a way to batch. */
export interface WhatIfSetting {
  readonly instances: number;
  /** Undefined: every request is executed alone. */
  readonly batch: BatchPolicy | undefined;
}

export interface WhatIfQuestion {
  readonly present: WhatIfSetting;
  readonly proposed: WhatIfSetting;
  readonly priorities: PriorityPolicy;
  readonly admission: AdmissionLimits;
  /** A full batch may wait at a busy instance, where there is only one. */
  readonly sendsAhead: boolean;
  readonly traffic: TrafficWindow;
  /** Executions by size since the load. */
  readonly sinceLoad: readonly { readonly batchSize: number; readonly ns: number; readonly executions: number }[];
}

/** Batches of a size for which no time was measured: between those that were, or beyond them. */
export interface UnmeasuredSize {
  readonly batchSize: number;
  readonly batches: number;
  readonly kind: "between" | "beyond";
}

export interface WhatIfAnswer {
  readonly measured: WhatIfFigures;
  /** What the simulator makes of the setting as it is: how far it is from what was measured tells how good it is. */
  readonly present: WhatIfFigures;
  readonly proposed: WhatIfFigures;
  readonly curve: readonly ServicePoint[];
  /** In the proposed setting. */
  readonly unmeasured: readonly UnmeasuredSize[];
  /** Requests left out of the proposed setting, because they have more items than a batch may. */
  readonly tooLarge: number;
}

/** Fewer tell nothing. */
export const FEWEST_ARRIVALS = 20;
/** Arrivals that are simulated at once, some tenths of a millisecond, and how long others then have the processor. */
const SLICE = 20;
const PAUSE_MS = 2;

/**
 * What would have become of the requests that came, with other instances and batches: the same scheduler on a virtual clock, with times
 * of executions as they were measured. The same question has the same answer. CONFLICT where too little came or was executed to say.
 */
export async function whatIf(question: WhatIfQuestion): Promise<WhatIfAnswer> {
  const { traffic, sinceLoad, present, proposed } = question;
  const service = serviceTimes(traffic.executions, sinceLoad);
  if (traffic.arrivals.length < FEWEST_ARRIVALS || service === undefined)
    throw new NereidError(
      "CONFLICT",
      `only ${traffic.arrivals.length} requests came in this time: too few to simulate`,
      {
        fix: "send requests as your clients do, or look further back",
      },
    );
  const limit = proposed.batch === undefined ? Number.POSITIVE_INFINITY : Math.max(1, proposed.batch.maxBatchSize);
  const fitting = traffic.arrivals.filter(({ batchSize }) => batchSize <= limit);
  if (fitting.length === 0)
    throw new NereidError("CONFLICT", `every request has more than ${limit} items`, { fix: "allow larger batches" });
  const now = await run(question, present, { arrivals: traffic.arrivals, service });
  const then = await run(question, proposed, { arrivals: fitting, service });
  return {
    measured: measuredFigures(traffic, present.instances),
    present: now.figures,
    proposed: then.figures,
    curve: service.points,
    unmeasured: unmeasuredOf(then.batchSizes, service.points),
    tooLarge: traffic.arrivals.length - fitting.length,
  };
}

async function run(
  { priorities, admission, sendsAhead }: WhatIfQuestion,
  { instances, batch }: WhatIfSetting,
  { arrivals, service }: { readonly arrivals: readonly RecentArrival[]; readonly service: ServiceTimes },
) {
  const random = seededRandom(1);
  const kind: SimulatedScheduler =
    batch === undefined
      ? { kind: "default", priorities, admission }
      : { kind: "dynamic", batch, priorities, admission };
  const simulation = new Simulation({
    scheduler: kind,
    instances,
    sendsAhead: sendsAhead && instances === 1 && batch !== undefined,
    serviceNs: (batchSize, _items, restNs) => service.draw({ batchSize, restNs }, random),
    arrivals: recorded(arrivals),
    onOutcome: () => undefined,
  });
  // It runs where requests are served: they come first.
  for (const _ of simulation.steps(SLICE)) await pause(PAUSE_MS);
  const { totals } = simulation.result;
  return { figures: simulatedFigures(totals), batchSizes: totals.batchSizes };
}

function unmeasuredOf(sizes: ReadonlyMap<number, number>, points: readonly ServicePoint[]): UnmeasuredSize[] {
  const known = new Set(points.map(({ batchSize }) => batchSize));
  const smallest = points[0]?.batchSize ?? 0;
  const largest = points.at(-1)?.batchSize ?? 0;
  return [...sizes]
    .filter(([batchSize]) => !known.has(batchSize))
    .map(([batchSize, batches]) => ({
      batchSize,
      batches,
      kind: batchSize > smallest && batchSize < largest ? ("between" as const) : ("beyond" as const),
    }));
}
