import type { z } from "zod";
import { checkCandidate } from "../../config/check-candidate.ts";
import type { Call } from "../../context.ts";
import type { LabJobView } from "../lab-job.ts";
import { checkSpareRunner } from "../spare-runner.ts";
import { type LabRequest, labRequest, startLabJob } from "../start-lab-job.ts";
import { experimentSpec } from "./experiment-spec.ts";

export const startExperimentInput = labRequest(experimentSpec);

/** Begins an experiment. FORBIDDEN without `lab.run`; INVALID_ARGUMENT; UNSUPPORTED on Triton; CONFLICT where nothing is served or the file was changed. */
export async function startExperiment(call: Call<LabRequest<z.input<typeof experimentSpec>>>): Promise<LabJobView> {
  return startLabJob(call, {
    kind: "experiment",
    schema: experimentSpec,
    modelOf: ({ model }) => model,
    titleOf: ({ hypothesis }) => hypothesis.slice(0, 200),
    prepare: async (ctx, spec) => {
      const { model, baseline, change } = spec;
      await checkSpareRunner(ctx, spec);
      const { text, digest } = await checkCandidate(ctx, { model, text: change.text, ifDigest: baseline.digest });
      // What is measured as the present configuration is what is there, whatever was sent.
      return { ...spec, baseline: { text, digest } };
    },
  });
}
