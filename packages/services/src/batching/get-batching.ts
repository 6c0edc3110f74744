import type { SecondBucket, VersionBatching } from "@nereid/client";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { seriesIn } from "../metrics/series-filter.ts";
import { modelInput, versionNumber } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";
import { type BatchingSecond, batchingSecond } from "./batching-second.ts";
import { type WaitBin, waitBins } from "./wait-bins.ts";

export const batchingInput = modelInput.extend({
  version: versionNumber.optional(),
  /** How far back the seconds go. */
  seconds: z.int().min(10).max(900).default(300),
});

export interface ModelBatching {
  readonly versions: readonly (VersionBatching & { readonly waitBins: readonly WaitBin[] })[];
  /** Oldest first; seconds in which nothing happened are there with zeros, seconds that are not known are not. */
  readonly seconds: readonly BatchingSecond[];
}

/** How a model's batches came about: since the load of each version, and second by second. NOT_FOUND for no model. */
export async function getBatching({ ctx, input }: Call<z.input<typeof batchingInput>>): Promise<ModelBatching> {
  authorise(ctx.actor, "model.read");
  const { name, version, seconds } = parseInput(batchingInput, input);
  const versions = await ctx.node.batching(name);
  const filter = { model: name, version };
  const buckets = ctx.metrics.recent(Math.floor(ctx.clock.now() / 1000) - seconds, undefined, filter);
  const rowOf = (bucket: SecondBucket) => batchingSecond(bucket.t, seriesIn(bucket, filter));
  return {
    versions: versions
      .filter((one) => version === undefined || one.version === version)
      .map((one) => ({ ...one, waitBins: waitBins(one.wait) })),
    seconds: buckets.map(rowOf),
  };
}
