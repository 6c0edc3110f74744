import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { authoriseChange } from "../../access/authorise-change.ts";
import { changeRecords } from "../../change-records.ts";
import { putConfig } from "../../config/apply-config.ts";
import { digestOf } from "../../config/config-history.ts";
import type { Call, ServiceContext } from "../../context.ts";
import { reason } from "../../instant.ts";
import { parseInput } from "../../parse-input.ts";
import { writeTransaction } from "../../write-transaction.ts";
import { labJobInput, noSuchLabJob } from "../get-lab-job.ts";
import { type LabJobView, toLabJob } from "../lab-job.ts";
import { experimentSpec } from "./experiment-spec.ts";

export const decideExperimentInput = labJobInput.extend({ decision: z.enum(["keep", "revert"]), reason });

/** As long as applying a configuration may take. */
const KEEPING_MS = 600_000;

/** What became of the change. */
export interface ExperimentDecision {
  /** `keeping`: the change is being applied, or could not be. */
  readonly kind: "kept" | "reverted" | "keeping";
  readonly byName: string;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly reason: string | null;
  /** Entry of the configuration's history; null where nothing was applied. */
  readonly historyId: string | null;
}

/**
 * Ends an experiment: `keep` makes the change the model's configuration, with an entry in its history; `revert` changes nothing, as nothing
 * was changed. Either is recorded once. FORBIDDEN; NOT_FOUND; CONFLICT before it has a verdict, after a decision, or when somebody changed the file.
 */
export async function decideExperiment({
  ctx,
  input,
}: Call<z.input<typeof decideExperimentInput>>): Promise<LabJobView> {
  const { id, decision, reason } = parseInput(decideExperimentInput, input);
  const target = { action: "experiment.decide", targetType: "lab-job", targetId: id };
  await authoriseChange(ctx, "lab.run", target);
  if (decision === "keep") await authoriseChange(ctx, "model.configure", target);
  const row = await ctx.db.labJob.findUnique({ where: { id } });
  if (row === null || row.kind !== "experiment") throw noSuchLabJob(id);
  if (row.phase !== "succeeded") {
    throw new NereidError("CONFLICT", `the experiment has no verdict: it is ${row.phase}`, {
      fix: "wait for its end, or begin it again",
    });
  }
  if (row.node !== ctx.nodeId) {
    throw new NereidError("CONFLICT", `the experiment was made on another node: ${row.node}`, {
      fix: "choose that node first",
    });
  }
  const spec = experimentSpec.parse(row.spec);
  await claim(ctx, { id, kind: decision === "keep" ? "keeping" : "reverted" });
  const historyId = decision === "keep" ? await keep(ctx, { id, spec, reason }) : null;
  return changeRecords(ctx, {
    ...target,
    targetType: "model",
    targetId: spec.model,
    permission: null,
    reason,
    work: async (tx) => {
      const made: ExperimentDecision = {
        kind: decision === "keep" ? "kept" : "reverted",
        byName: ctx.actor.name,
        atMs: ctx.clock.now(),
        reason: reason ?? null,
        historyId,
      };
      const kept = await tx.labJob.update({
        where: { id },
        data: { decision: { ...made }, revision: { increment: 1 } },
      });
      return { result: toLabJob(kept), after: { job: id, decision: made.kind } };
    },
  });
}

interface Claim {
  readonly id: string;
  readonly kind: "keeping" | "reverted";
  /** Unix milliseconds; 0 gives it up. */
  readonly atMs?: number;
}

/** Notes what is about to be done, so that nobody else does the other thing meanwhile. CONFLICT where somebody did. */
async function claim(ctx: ServiceContext, { id, kind, atMs }: Claim): Promise<void> {
  const nowMs = ctx.clock.now();
  await writeTransaction(ctx.db, async (tx) => {
    const { decision } = await tx.labJob.findUniqueOrThrow({ where: { id }, select: { decision: true } });
    if (atMs !== 0 && decision !== null && !isGivenUp(decision, nowMs)) throw decidedAlready();
    const data = { kind, byName: ctx.actor.name, atMs: atMs ?? nowMs, reason: null, historyId: null };
    await tx.labJob.update({ where: { id }, data: { decision: data } });
  });
}

/** Whoever kept it failed, or went away before it was in effect. */
function isGivenUp(decision: unknown, nowMs: number): boolean {
  const found = z.object({ kind: z.literal("keeping"), atMs: z.number() }).safeParse(decision);
  return found.success && nowMs - found.data.atMs > KEEPING_MS;
}

interface Kept {
  readonly id: string;
  readonly spec: z.output<typeof experimentSpec>;
  readonly reason: string | undefined;
}

/** Applies the change; the experiment is undecided again where that fails. Null where the file has it already. */
async function keep(ctx: ServiceContext, { id, spec, reason }: Kept): Promise<string | null> {
  try {
    const { digest } = await ctx.node.modelConfigState(spec.model);
    if (digest === digestOf(spec.change.text)) return null;
    const why = [`experiment: ${spec.hypothesis}`, reason ?? ""].filter((one) => one !== "").join("; ");
    const { historyId } = await putConfig(ctx, {
      name: spec.model,
      text: spec.change.text,
      ifDigest: spec.baseline.digest,
      reason: why.slice(0, 500),
      action: "config.apply",
      source: "apply",
    });
    return historyId;
  } catch (thrown) {
    await claim(ctx, { id, kind: "keeping", atMs: 0 });
    throw thrown;
  }
}

function decidedAlready(): NereidError {
  return new NereidError("CONFLICT", "it was decided already", { fix: "begin another experiment" });
}
