import type { ExperimentProgress, ExperimentResult, ExperimentWindow } from "@nereid/perf";
import { type ExperimentDecision, experimentSpec, type LabJobView } from "@nereid/services/lab-specs";
import type { z } from "zod";

export interface ExperimentTold {
  /** Null where a later release asked for more than this one knows. */
  readonly spec: z.output<typeof experimentSpec> | null;
  readonly windows: readonly ExperimentWindow[];
  readonly result: ExperimentResult | null;
  readonly decision: ExperimentDecision | null;
}

/** An experiment's job as its page shows it: what its process wrote. Pure. */
export function readExperiment(job: Pick<LabJobView, "spec" | "progress" | "result" | "decision">): ExperimentTold {
  const spec = experimentSpec.safeParse(job.spec);
  const result = hasWindows(job.result) ? (job.result as unknown as ExperimentResult) : null;
  const progress = hasWindows(job.progress) ? (job.progress as unknown as ExperimentProgress) : null;
  return {
    spec: spec.success ? spec.data : null,
    result,
    windows: result?.windows ?? progress?.windows ?? [],
    decision: isDecision(job.decision) ? job.decision : null,
  };
}

function hasWindows(value: unknown): value is { readonly windows: readonly unknown[] } {
  return typeof value === "object" && value !== null && "windows" in value && Array.isArray(value.windows);
}

function isDecision(value: unknown): value is ExperimentDecision {
  // While it is being kept nothing is decided yet; the server sees to it that nobody decides otherwise.
  return (
    typeof value === "object" && value !== null && "kind" in value && value.kind !== "keeping" && "byName" in value
  );
}
