import { z } from "zod";
import { configText, ifDigest } from "../../config/config-text.ts";
import { modelName, versionNumber } from "../../models/model-name.ts";

const count = (most: number) => z.int().min(1).max(most);

/** One change of a configuration, compared with the present one in windows that take turns. */
export const experimentSpec = z
  .object({
    model: modelName,
    version: versionNumber.nullable().default(null),
    /** What is believed, and why. */
    hypothesis: z.string().trim().min(1).max(2_000),
    protocol: z.enum(["http", "grpc"]).default("http"),
    load: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("concurrency"), level: count(4096) }),
      z.object({ kind: z.literal("rate"), level: z.number().gt(0).max(1_000_000) }),
    ]),
    requestBatch: count(4096).default(1),
    /** Of inputs whose dimensions vary. */
    shapes: z.record(z.string().min(1).max(255), z.array(count(1_000_000_000)).max(16)).default({}),
    windowSeconds: z.number().min(0.5).max(3600).default(5),
    warmUpSeconds: z.number().min(0).max(600).default(1),
    pairs: count(100).min(2, "needs at least two: of one pair nothing can be said").default(6),
    metric: z.enum(["throughput", "goodput", "p50", "p99"]).default("p99"),
    goodWithinMs: z.number().min(0.01).max(3_600_000).nullable().default(null),
    /** A smaller difference is none that matters. */
    leastEffect: z.number().min(0.001).max(0.5).default(0.02),
    baseline: z.object({ text: configText, digest: ifDigest }),
    change: z.object({ text: configText }),
  })
  .refine(
    ({ metric, goodWithinMs }) => metric !== "goodput" || goodWithinMs !== null,
    "goodWithinMs: is needed, for within which time is an answer good?",
  );
