import type { z } from "zod";
import type { Call } from "../../context.ts";
import type { LabJobView } from "../lab-job.ts";
import { checkSpareRunner } from "../spare-runner.ts";
import { type LabRequest, labRequest, startLabJob } from "../start-lab-job.ts";
import { tuningSpec } from "./tuning-spec.ts";

export const startTuningInput = labRequest(tuningSpec);

/** Begins a search for better settings. FORBIDDEN without `lab.run`; INVALID_ARGUMENT; UNSUPPORTED on Triton; CONFLICT where nothing is served. */
export async function startTuning(call: Call<LabRequest<z.input<typeof tuningSpec>>>): Promise<LabJobView> {
  return startLabJob(call, {
    kind: "tuning",
    schema: tuningSpec,
    modelOf: ({ model }) => model,
    titleOf: ({ model, goodWithinMs }) =>
      goodWithinMs === null ? `${model}: better settings` : `${model}: most answers within ${goodWithinMs} ms`,
    prepare: async (ctx, spec) => {
      await checkSpareRunner(ctx, spec);
      return spec;
    },
  });
}
