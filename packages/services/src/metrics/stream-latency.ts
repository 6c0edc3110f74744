import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { modelName } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";
import type { NodeConnection } from "./connection.ts";
import { type LatencyRow, latencyRowOf } from "./latency-row.ts";
import { perBucket } from "./per-bucket.ts";
import { FIGURES_SECONDS, type WindowFigures, windowFigures } from "./window-figures.ts";

export const streamLatencyInput = z.object({
  model: modelName,
  version: z.string().regex(/^\d+$/).optional(),
  /** Only rows later than this Unix second. */
  after: z.int().min(0),
});

export type LatencyEvent =
  | { readonly kind: "row"; readonly row: LatencyRow; readonly figures: WindowFigures | null }
  | { readonly kind: "connection"; readonly connection: NodeConnection };

/** Of the seconds that end with a bucket. */
const FIGURES = perBucket<WindowFigures | null>(
  (figures) => figures !== null && (figures.samples > 0 || figures.failuresPerSecond > 0),
);

export interface StreamCall<Input> extends Call<Input> {
  readonly signal: AbortSignal;
}

/** One model second by second: the remembered rows later than `after`, then live ones, until the signal aborts. */
export async function* streamLatency(
  call: StreamCall<z.input<typeof streamLatencyInput>>,
): AsyncGenerator<LatencyEvent, void, undefined> {
  const { ctx, input, signal } = call;
  authorise(ctx.actor, "metrics.read");
  const { after, ...filter } = parseInput(streamLatencyInput, input);
  for await (const event of ctx.metrics.follow({ after, signal, view: filter })) {
    if (event.kind === "connection") {
      yield event;
      continue;
    }
    const { bucket } = event;
    const figures = FIGURES.of(bucket, filter, () =>
      windowFigures(ctx.metrics.recent(bucket.t - FIGURES_SECONDS, bucket.t, filter), filter),
    );
    yield { kind: "row", row: latencyRowOf(bucket, filter), figures };
  }
}
