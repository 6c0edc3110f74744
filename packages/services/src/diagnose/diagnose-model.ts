import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { modelName } from "../models/model-name.ts";
import { requireKnown } from "../models/require-known.ts";
import { parseInput } from "../parse-input.ts";
import { gatherWindow } from "./gather-window.ts";
import type { DiagnosisReport } from "./report-schema.ts";
import { runDiagnosis } from "./run-diagnosis.ts";
import type { StatsWindow } from "./stats-window.ts";
import { thresholds } from "./thresholds.ts";
import { SYMPTOMS } from "./trees.ts";

/** A day: longer windows hide what they are asked about. */
const LONGEST_SECONDS = 86_400;
const NEWEST_SECONDS = 300;

export const diagnoseInput = z.object({
  model: modelName,
  version: z.string().regex(/^\d+$/).optional(),
  symptom: z.enum(SYMPTOMS).default("p99-high"),
  /** Unix seconds; without them the last five minutes. */
  from: z.int().min(0).optional(),
  to: z.int().min(0).optional(),
  /** Branches chosen by hand, by step. */
  choices: z.record(z.string().max(50), z.string().max(50)).optional(),
  bars: thresholds.partial().optional(),
});

/** Looks at a window of a model's figures and names what is wrong, step by step. Changes nothing. NOT_FOUND for a model that there is not. */
export async function diagnoseModel({ ctx, input }: Call<z.input<typeof diagnoseInput>>): Promise<DiagnosisReport> {
  authorise(ctx.actor, "metrics.read");
  const { model, version, symptom, choices, bars, ...range } = parseInput(diagnoseInput, input);
  const to = range.to ?? Math.floor(ctx.clock.now() / 1000);
  const from = range.from ?? to - NEWEST_SECONDS;
  if (to <= from || to - from > LONGEST_SECONDS) {
    throw new NereidError("INVALID_ARGUMENT", "to: must be later than from, by a day at most", {
      fix: "choose a shorter range around the moment in question",
    });
  }
  const window = await gatherWindow(ctx, { model, version: version ?? null, from, to });
  if (window.whole.succeeded + window.whole.failed === 0) await requireKnown([{ client: ctx.node }], model);
  const held = thresholds.parse(bars ?? {});
  const diagnosed = runDiagnosis({ symptom, window, bars: held, choices: choices ?? {} });
  const steps = diagnosed.steps.map((step) => ({
    ...step,
    evidence: [...step.evidence],
    branches: [...step.branches],
  }));
  return { ...diagnosed, steps, ...aboutOf(window), bars: held };
}

function aboutOf(window: StatsWindow): Omit<DiagnosisReport, "symptom" | "title" | "steps" | "verdict" | "bars"> {
  const { model, version, node, from, to, whole, slow } = window;
  const all = whole.succeeded + whole.failed;
  return {
    model,
    version,
    node,
    from,
    to,
    figures: {
      requests: all,
      failureShare: all === 0 ? 0 : whole.failed / all,
      p50: whole.p50,
      p99: whole.p99,
      queue: whole.means?.queue ?? null,
      infer: whole.means?.infer ?? null,
      requestsPerSecond: whole.requestsPerSecond,
    },
    timeline: [...window.timeline],
    slow: slow
      .toSorted((a, b) => b.totalNs - a.totalNs)
      .slice(0, 20)
      .map(({ serial }) => serial),
  };
}
