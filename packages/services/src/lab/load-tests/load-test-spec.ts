import { z } from "zod";
import { modelName, versionNumber } from "../../models/model-name.ts";

const MOST_LEVELS = 100;
const MOST_DATA = 1024 * 1024;

const inFlight = z.int().min(1).max(4096);
const perSecond = z.number().positive().max(1_000_000);
const latencyMs = z.number().positive().max(3_600_000);
/** Whole, as nereid perf compares. */
const percentile = z.int().min(1).max(99);
const share = z.number().min(0).max(1);

/** How load is made, and at which levels. */
export const loadPlan = z.discriminatedUnion("kind", [
  /** Closed loop: so many requests in flight. */
  z.object({ kind: z.literal("concurrency"), from: inFlight, to: inFlight, step: inFlight.default(1) }),
  /** Open loop: so many requests a second, sent when due. */
  z.object({
    kind: z.literal("rate"),
    from: perSecond,
    to: perSecond,
    step: perSecond.default(100),
    distribution: z.enum(["constant", "poisson"]).default("poisson"),
  }),
  /** Open loop: `size` requests at once, so often that they come to a rate. */
  z.object({
    kind: z.literal("bursts"),
    from: perSecond,
    to: perSecond,
    step: perSecond.default(100),
    size: z.int().min(1).max(10_000).default(10),
  }),
  /** Open loop: rates that go up until the server no longer keeps up, or its latency is over a limit. */
  z.object({
    kind: z.literal("knee"),
    from: perSecond,
    to: perSecond.default(100_000),
    factor: z.number().min(1.05).max(10).default(1.5),
    limitMs: z.int().min(1).max(3_600_000).nullable().default(null),
    percentile: percentile.default(99),
  }),
  /** Open loop: the requests that really came in the last seconds, when they came; `speed` 2 = twice as fast. */
  z.object({
    kind: z.literal("recorded"),
    seconds: z.int().min(1).max(900),
    speed: z.number().min(0.1).max(100).default(1),
  }),
]);

export type LoadPlan = z.output<typeof loadPlan>;

/** What a load has to keep. */
export const loadThreshold = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("latency"), percentile: z.number().min(1).max(99.99), atMostMs: latencyMs }),
  z.object({ kind: z.literal("error-share"), atMost: share }),
  z.object({ kind: z.literal("throughput"), atLeast: perSecond }),
  z.object({ kind: z.literal("goodput"), atLeast: share }),
]);

export type LoadThreshold = z.output<typeof loadThreshold>;

const loadInput = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("random") }),
  z.object({ kind: z.literal("zero") }),
  /** A file of requests, as nereid perf takes it: `{"data": [{"INPUT": [1, 2]}]}`. */
  z.object({ kind: z.literal("json"), text: z.string().min(2).max(MOST_DATA) }),
  /** A request that was kept in the playground. `data` is filled in when the test is begun: its values at that moment. */
  z.object({ kind: z.literal("fixture"), name: z.string().min(1).max(80), data: z.string().max(MOST_DATA).optional() }),
]);

/** A load test as it is asked for. Times are in the unit of their name; rates are requests a second. */
export const loadTestSpec = z
  .object({
    model: modelName,
    version: versionNumber.optional(),
    protocol: z.enum(["http", "grpc"]).default("http"),
    load: loadPlan,
    /** Seconds that are measured at each level. */
    duration: z.int().min(1).max(3_600).default(10),
    /** Seconds of each level's load before that, which do not count. */
    warmUp: z.int().min(0).max(600).default(2),
    batch: z.int().min(1).max(4_096).default(1),
    /** For inputs with variable dimensions, without the batch's. */
    shapes: z.record(z.string().min(1).max(200), z.array(z.int().min(1).max(1e9)).min(1).max(16)).default({}),
    input: loadInput.default({ kind: "random" }),
    /** Of models with sequences: requests of each, by how much their number varies, and how many at a time in an open loop. */
    sequences: z
      .object({
        length: z.int().min(1).max(100_000).default(20),
        variationPercent: z.int().min(0).max(100).default(20),
        concurrent: z.int().min(1).max(4_096).default(4),
      })
      .nullable()
      .default(null),
    /** One gRPC stream for each request in flight. */
    streaming: z.boolean().default(false),
    /** An answer that takes longer, from when it was due, is not good; null = any answer is. */
    goodWithinMs: latencyMs.nullable().default(null),
    thresholds: z.array(loadThreshold).max(20).default([]),
  })
  .superRefine(({ load, streaming, protocol, shapes }, found) => {
    const refuse = (path: readonly string[], message: string) =>
      found.addIssue({ code: "custom", path: [...path], message });
    if (streaming && protocol === "http") refuse(["streaming"], "is of gRPC: choose that protocol");
    // The command line has a colon behind the name.
    if (Object.keys(shapes).some((name) => name.startsWith("-"))) refuse(["shapes"], "no input's name begins with -");
    if (load.kind === "recorded") return;
    if (load.to < load.from) refuse(["load", "to"], "is below the first level");
    else if (levelsOf(load) > MOST_LEVELS) refuse(["load"], `has more than ${MOST_LEVELS} levels: take larger steps`);
  });

export type LoadTestSpec = z.output<typeof loadTestSpec>;

/** Levels of a plan at most. Pure. */
export function levelsOf(load: LoadPlan): number {
  if (load.kind === "recorded") return 1;
  if (load.kind === "knee") return Math.floor(Math.log(load.to / load.from) / Math.log(load.factor) + 1e-9) + 1;
  return Math.floor((load.to - load.from) / load.step + 1e-9) + 1;
}

/** Whether requests come when they come, whatever became of earlier ones. Pure. */
export function isOpenLoop({ kind }: Pick<LoadPlan, "kind">): boolean {
  return kind !== "concurrency";
}

/** The load in a few words: `4 to 32 in flight`. Pure. */
export function loadWords(load: LoadPlan): string {
  const range = (unit: string, { from, to }: { readonly from: number; readonly to: number }) =>
    from === to ? `${from} ${unit}` : `${from} to ${to} ${unit}`;
  switch (load.kind) {
    case "concurrency":
      return range("in flight", load);
    case "rate":
      return range("a second", load);
    case "bursts":
      return `${range("a second", load)} in bursts of ${load.size}`;
    case "knee":
      return `up from ${load.from} a second to the knee`;
    case "recorded":
      return `the last ${load.seconds} s as they came${load.speed === 1 ? "" : `, ${load.speed} times as fast`}`;
  }
}
