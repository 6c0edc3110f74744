import { NereidError } from "@nereid/errors";
import type { z } from "zod";
import type { Call, ServiceContext } from "../../context.ts";
import { getFixture } from "../../playground/fixtures.ts";
import type { LabJobView } from "../lab-job.ts";
import { type LabPlan, labRequest, startLabJob } from "../start-lab-job.ts";
import { fixtureData } from "./fixture-data.ts";
import { type LoadTestSpec, loadTestSpec, loadWords } from "./load-test-spec.ts";

export const startLoadTestInput = labRequest(loadTestSpec);

const PLAN: LabPlan<z.input<typeof loadTestSpec>, LoadTestSpec> = {
  kind: "load-test",
  schema: loadTestSpec,
  modelOf: ({ model }) => model,
  titleOf: ({ model, load }) => `${model}: ${loadWords(load)}`,
  prepare,
};

/**
 * Puts a load test on the list. FORBIDDEN without `lab.run`; NOT_FOUND for a fixture or a model that there is not; UNSUPPORTED for
 * recorded arrivals of a server that does not tell them; CONFLICT when too many jobs wait.
 */
export function startLoadTest(call: Call<z.input<typeof startLoadTestInput>>): Promise<LabJobView> {
  return startLabJob(call, PLAN);
}

/** Fills in what the fixture holds now, for it may be another one when the test begins. */
async function prepare(ctx: ServiceContext, spec: LoadTestSpec): Promise<LoadTestSpec> {
  const { model, version, input, load } = spec;
  const options = version === undefined ? {} : { version };
  const config = await ctx.node.modelConfig(model, options);
  const node = ctx.nodes.find(({ id }) => id === ctx.nodeId);
  if (load.kind === "recorded" && node?.kind === "triton") {
    throw new NereidError("UNSUPPORTED", "Triton does not tell when requests came", {
      fix: "choose a rate, or a Nereid server",
    });
  }
  if (input.kind !== "fixture") return spec;
  const { request } = await getFixture({ ctx, input: { model, name: input.name } });
  const data = fixtureData(request, Number(config["max_batch_size"] ?? 0) > 0);
  return { ...spec, input: { ...input, data } };
}
