import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import { changeRecords } from "../change-records.ts";
import type { Call } from "../context.ts";
import { historyDaysIn, historyDaysOf, RETENTION_KEY } from "../history/history-store.ts";
import { parseInput } from "../parse-input.ts";

/** How long measurements are kept; seconds and ten seconds are kept for an hour and a day whatever is chosen. */
export interface Retention {
  readonly historyDays: number;
  /** Rows of the history now. */
  readonly chunks: number;
}

export async function getRetention({ ctx }: Pick<Call, "ctx">): Promise<Retention> {
  authorise(ctx.actor, "metrics.read");
  const [historyDays, chunks] = await Promise.all([historyDaysOf(ctx.db), ctx.db.metricChunk.count()]);
  return { historyDays, chunks };
}

export const saveRetentionInput = z.object({ historyDays: z.int().min(1).max(3_650) });

/** Keeps minutes for so many days from now on. What is older goes within some minutes, and does not come back. */
export async function saveRetention({ ctx, input }: Call<z.input<typeof saveRetentionInput>>): Promise<Retention> {
  const { historyDays } = parseInput(saveRetentionInput, input);
  await changeRecords(ctx, {
    action: "settings.retention",
    permission: "settings.manage",
    targetType: "setting",
    targetId: RETENTION_KEY,
    work: async (tx) => {
      const old = await tx.setting.findUnique({ where: { key: RETENTION_KEY } });
      const value = JSON.stringify({ historyDays });
      await tx.setting.upsert({
        where: { key: RETENTION_KEY },
        create: { key: RETENTION_KEY, value },
        update: { value },
      });
      const before = { historyDays: old === null ? "default" : historyDaysIn(old.value) };
      return { result: undefined, before, after: { historyDays } };
    },
  });
  return getRetention({ ctx });
}
