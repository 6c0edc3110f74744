import { randomUUID } from "node:crypto";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import { changeRecords } from "../change-records.ts";
import type { Call } from "../context.ts";
import { modelName } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";
import { type SloRecord, sloInput, toSlo } from "./slo-input.ts";
import { type SloStanding, sloStanding } from "./slo-status.ts";
import { recentStanding } from "./standing-cache.ts";

/** More than anybody looks at; each is worked out anew several times a minute. */
const MOST_SLOS = 500;

export interface SloWithStanding {
  readonly slo: SloRecord;
  readonly standing: SloStanding;
}

export const listSlosInput = z.object({ model: modelName.optional() });

/** What is promised, of all models or of one, and how each promise stands; worst first. */
export async function listSlos({ ctx, input }: Call<z.input<typeof listSlosInput>>): Promise<SloWithStanding[]> {
  authorise(ctx.actor, "metrics.read");
  const { model } = parseInput(listSlosInput, input);
  const rows = await ctx.db.slo.findMany({
    where: model === undefined ? {} : { model },
    orderBy: [{ model: "asc" }, { name: "asc" }],
  });
  const all = await Promise.all(
    rows.map(async (row) => {
      const slo = toSlo(row);
      return { slo, standing: await recentStanding(ctx, slo) };
    }),
  );
  return all.toSorted((a, b) => (a.standing.budgetLeft ?? 2) - (b.standing.budgetLeft ?? 2));
}

/** How a promise would stand on what was really measured, before it is made. */
export async function previewSlo({ ctx, input }: Call<z.input<typeof sloInput>>): Promise<SloStanding> {
  authorise(ctx.actor, "metrics.read");
  return sloStanding(ctx, parseInput(sloInput, input));
}

export const saveSloInput = sloInput.extend({ id: z.string().min(1).max(100).optional() });

/** Makes a promise, or changes one. Audited with both forms. */
export async function saveSlo({ ctx, input }: Call<z.input<typeof saveSloInput>>): Promise<SloRecord> {
  const { id, ...fields } = parseInput(saveSloInput, input);
  return changeRecords(ctx, {
    action: id === undefined ? "slo.create" : "slo.change",
    permission: "slo.manage",
    targetType: "slo",
    targetId: id ?? fields.name,
    work: async (tx) => {
      if (id === undefined) {
        if ((await tx.slo.count()) >= MOST_SLOS) {
          throw new NereidError("CONFLICT", `there are ${MOST_SLOS} objectives already`, {
            fix: "remove those nobody needs",
          });
        }
        const createdAt = new Date(ctx.clock.now());
        const row = await tx.slo.create({
          data: { id: randomUUID(), ...fields, createdAt, createdByName: ctx.actor.name },
        });
        return { result: toSlo(row), targetId: row.id, after: fields };
      }
      const old = await tx.slo.findUnique({ where: { id } });
      if (old === null) throw noSuchSlo(id);
      const { createdByName: _by, id: _id, ...before } = toSlo(old);
      return { result: toSlo(await tx.slo.update({ where: { id }, data: fields })), before, after: fields };
    },
  });
}

export const removeSloInput = z.object({ id: z.string().min(1).max(100) });

/** Takes a promise back; its open alerts close. Answers what it was, so that it can be made again. */
export async function removeSlo({ ctx, input }: Call<z.input<typeof removeSloInput>>): Promise<SloRecord> {
  const { id } = parseInput(removeSloInput, input);
  return changeRecords(ctx, {
    action: "slo.remove",
    permission: "slo.manage",
    targetType: "slo",
    targetId: id,
    work: async (tx) => {
      const row = await tx.slo.findUnique({ where: { id } });
      if (row === null) throw noSuchSlo(id);
      await tx.slo.delete({ where: { id } });
      await tx.alert.updateMany({
        where: { sloId: id, closedAt: null },
        data: { closedAt: new Date(ctx.clock.now()) },
      });
      const { createdByName: _by, id: _id, ...before } = toSlo(row);
      return { result: toSlo(row), before };
    },
  });
}

function noSuchSlo(id: string): NereidError {
  return new NereidError("NOT_FOUND", `there is no objective ${id}`, {
    fix: "it may have been removed; look at the list",
  });
}
