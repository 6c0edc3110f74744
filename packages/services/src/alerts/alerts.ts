import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import { changeRecords } from "../change-records.ts";
import type { Call } from "../context.ts";
import { modelName } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";
import { type AlertRecord, toAlert } from "./alert-record.ts";

export const listAlertsInput = z.object({
  state: z.enum(["open", "closed", "all"]).default("open"),
  model: modelName.optional(),
  limit: z.int().min(1).max(200).default(50),
});

/** What is, or was, wrong; newest first. */
export async function listAlerts({ ctx, input }: Call<z.input<typeof listAlertsInput>>): Promise<AlertRecord[]> {
  authorise(ctx.actor, "metrics.read");
  const { state, model, limit } = parseInput(listAlertsInput, input);
  const rows = await ctx.db.alert.findMany({
    where: {
      ...(state === "open" && { closedAt: null }),
      ...(state === "closed" && { closedAt: { not: null } }),
      ...(model !== undefined && { model }),
    },
    orderBy: [{ openedAt: "desc" }, { id: "asc" }],
    take: limit,
  });
  return rows.map(toAlert);
}

export const acknowledgeAlertInput = z.object({
  id: z.string().min(1).max(100),
  acknowledged: z.boolean().default(true),
});

/** Says that somebody looks after it, or takes that back. */
export async function acknowledgeAlert({
  ctx,
  input,
}: Call<z.input<typeof acknowledgeAlertInput>>): Promise<AlertRecord> {
  const { id, acknowledged } = parseInput(acknowledgeAlertInput, input);
  return changeRecords(ctx, {
    action: acknowledged ? "alert.acknowledge" : "alert.unacknowledge",
    permission: "alert.acknowledge",
    targetType: "alert",
    targetId: id,
    work: async (tx) => {
      const row = await tx.alert.findUnique({ where: { id } });
      if (row === null)
        throw new NereidError("NOT_FOUND", `there is no alert ${id}`, { fix: "look at the list of alerts" });
      const data = acknowledged
        ? { acknowledgedAt: new Date(ctx.clock.now()), acknowledgedByName: ctx.actor.name }
        : { acknowledgedAt: null, acknowledgedByName: null };
      return {
        result: toAlert(await tx.alert.update({ where: { id }, data })),
        after: { title: row.title, acknowledged },
      };
    },
  });
}
