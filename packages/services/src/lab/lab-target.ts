import { z } from "zod";
import { authoriseChange, type ChangeTarget } from "../access/authorise-change.ts";
import type { ServiceContext } from "../context.ts";
import { kindOf } from "./lab-job.ts";

/** Who may change a job, and what the audit row says it was about: its model, under the name of its kind. FORBIDDEN without `lab.run`. */
export async function labTarget(
  ctx: ServiceContext,
  { input, verb }: { readonly input: unknown; readonly verb: "cancel" | "note" },
): Promise<ChangeTarget & { readonly permission: null }> {
  const found = z.object({ id: z.string() }).safeParse(input);
  const id = found.success ? found.data.id.slice(0, 100) : "";
  await authoriseChange(ctx, "lab.run", { action: `lab.${verb}`, targetType: "lab-job", targetId: id });
  const row = await ctx.db.labJob.findUnique({ where: { id }, select: { kind: true, model: true } });
  if (row === null) return { action: `lab.${verb}`, targetType: "lab-job", targetId: id, permission: null };
  return { action: `${kindOf(row.kind)}.${verb}`, targetType: "model", targetId: row.model, permission: null };
}
