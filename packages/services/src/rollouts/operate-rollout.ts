import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { authoriseChange } from "../access/authorise-change.ts";
import { changeRecords } from "../change-records.ts";
import type { Call } from "../context.ts";
import { reason } from "../instant.ts";
import { parseInput } from "../parse-input.ts";
import { commandRollout, ROLLOUT_COMMANDS } from "./command-rollout.ts";
import { presentSecond } from "./evidence.ts";
import { noSuchRollout, type RolloutView, viewRollout } from "./get-rollout.ts";
import { type RolloutRecord, toRollout } from "./rollout-record.ts";
import { isActive } from "./rollout-state.ts";
import { saveState } from "./save-rollout.ts";

export const operateRolloutInput = z.object({
  id: z.string().min(1).max(100),
  action: z.enum(ROLLOUT_COMMANDS),
  reason,
});

const TRIES = 5;

/** Pauses, resumes, promotes, aborts or tries again. CONFLICT where the rollout's state does not allow it. The controller acts on it within a second. */
export async function operateRollout({ ctx, input }: Call<z.input<typeof operateRolloutInput>>): Promise<RolloutView> {
  await authoriseChange(ctx, "rollout.manage", {
    action: "rollout.operate",
    targetType: "rollout",
    targetId: idIn(input),
  });
  const { id, action: command, reason } = parseInput(operateRolloutInput, input);
  const known = await ctx.db.rollout.findUnique({ where: { id }, select: { model: true, candidate: true } });
  // Whoever lets a configuration go ahead changes the model's configuration; everybody may send it back.
  if (known?.candidate.includes("/") === true && command !== "pause" && command !== "abort") {
    await authoriseChange(ctx, "model.configure", {
      action: `rollout.${command}`,
      targetType: "model",
      targetId: known.model,
    });
  }
  for (let attempt = 1; ; attempt += 1) {
    const record = await changeRecords<RolloutRecord | null>(ctx, {
      action: `rollout.${command}`,
      permission: null,
      targetType: "model",
      targetId: known?.model ?? "",
      reason,
      work: async (tx) => {
        const row = await tx.rollout.findUnique({ where: { id } });
        if (row === null) throw noSuchRollout(id);
        const before = toRollout(row);
        const atMs = ctx.clock.now();
        const by = ctx.actor.name;
        const { metrics } = ctx.nodes.find((node) => node.id === before.node) ?? {};
        const t = presentSecond(metrics, atMs);
        const next = commandRollout(before.spec, { ...before, command, by, nowMs: atMs, t });
        if (!isActive(before.state)) {
          const where = { model: row.model, node: row.node, active: true };
          if ((await tx.rollout.count({ where })) > 0) throw otherRuns(row.model);
        }
        const result = await saveState(tx, before, { ...next, by, atMs });
        const version = before.spec.candidate;
        const place = { rollout: id, version, nodeId: before.node };
        return { result, before: { phase: row.phase }, after: { phase: next.state.kind, ...place } };
      },
    });
    if (record !== null) return viewRollout(ctx, record);
    if (attempt >= TRIES) throw new NereidError("CONFLICT", "the rollout was changed meanwhile", { fix: "try again" });
  }
}

function otherRuns(model: string): NereidError {
  return new NereidError("CONFLICT", `another rollout of ${model} is under way`, { fix: "wait until it has ended" });
}

function idIn(input: unknown): string {
  const found = z.object({ id: z.string() }).safeParse(input);
  return found.success ? found.data.id.slice(0, 100) : "";
}
