import { NereidError } from "@nereid/errors";
import type { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call, ServiceContext } from "../context.ts";
import { mergeSeries } from "../metrics/merge-series.ts";
import { quantileMs } from "../metrics/quantile-ms.ts";
import { seriesIn } from "../metrics/series-filter.ts";
import { modelInput, versionNumber } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";
import { compareFiles, compareSignatures, type FileDifference, type TensorDifference } from "./compare-versions.ts";
import { type VersionRow, versionRows } from "./list-versions.ts";

export const compareVersionsInput = modelInput.extend({ a: versionNumber, b: versionNumber });

export interface VersionLatency {
  /** Milliseconds over the remembered 15 minutes; null without requests. */
  readonly p50: number | null;
  readonly p99: number | null;
  readonly count: number;
}

export interface VersionComparison {
  readonly a: VersionRow;
  readonly b: VersionRow;
  readonly signature: readonly TensorDifference[];
  readonly files: readonly FileDifference[];
  readonly latency: { readonly a: VersionLatency; readonly b: VersionLatency };
}

/** Two versions of a model side by side. NOT_FOUND for a version that is neither on the disk nor served. */
export async function getComparison({
  ctx,
  input,
}: Call<z.input<typeof compareVersionsInput>>): Promise<VersionComparison> {
  authorise(ctx.actor, "model.read");
  const { name, a, b } = parseInput(compareVersionsInput, input);
  const rows = await versionRows(ctx, name);
  const find = (version: string): VersionRow => {
    const row = rows.find((one) => one.version === version);
    if (row === undefined) throw new NereidError("NOT_FOUND", `'${name}' has no version ${version}`);
    return row;
  };
  const [left, right] = [find(a), find(b)];
  return {
    a: left,
    b: right,
    signature: compareSignatures(left.graph, right.graph),
    files: compareFiles(left.files, right.files),
    latency: { a: latencyOf(ctx, name, a), b: latencyOf(ctx, name, b) },
  };
}

function latencyOf(ctx: ServiceContext, model: string, version: string): VersionLatency {
  const filter = { model, version };
  const merged = mergeSeries(ctx.metrics.recent(0, undefined, filter).flatMap((bucket) => seriesIn(bucket, filter)));
  return { p50: quantileMs(merged.latency, 0.5), p99: quantileMs(merged.latency, 0.99), count: merged.success };
}
