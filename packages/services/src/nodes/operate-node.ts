import { NereidError } from "@nereid/errors";
import type { z } from "zod";
import { authoriseChange } from "../access/authorise-change.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { changeRecords } from "../change-records.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { findNode } from "./find-node.ts";
import { LOCAL_NODE } from "./managed-node.ts";
import { cordonNodeInput, drainNodeInput } from "./node-input.ts";
import { localCordon } from "./read-specs.ts";

/** Lets a node take no more models, or again; what it serves goes on. */
export async function cordonNode({ ctx, input }: Call<z.input<typeof cordonNodeInput>>): Promise<void> {
  const { id, cordoned, reason } = parseInput(cordonNodeInput, input);
  await changeRecords(ctx, {
    action: cordoned ? "node.cordon" : "node.uncordon",
    permission: "node.operate",
    targetType: "node",
    targetId: id,
    reason,
    work: async (tx) => {
      const { name, cordoned: before } = findNode(ctx.nodes, id);
      if (id === LOCAL_NODE) {
        const { key, value } = localCordon(cordoned);
        await tx.setting.upsert({ where: { key }, create: { key, value }, update: { value } });
      } else await tx.node.updateMany({ where: { id }, data: { cordoned } });
      return { result: undefined, before: { name, cordoned: before }, after: { name, cordoned } };
    },
  });
  await ctx.nodeControl.refresh();
}

/** Takes a node out of service, or puts it back: its readiness says no while it answers what still comes. */
export async function drainNode({ ctx, input }: Call<z.input<typeof drainNodeInput>>): Promise<void> {
  const { id, draining, reason } = parseInput(drainNodeInput, input);
  const target = { action: draining ? "node.drain" : "node.undrain", targetType: "node", targetId: id } as const;
  await authoriseChange(ctx, "node.operate", target);
  const node = findNode(ctx.nodes, id);
  const about = { name: node.name, draining };
  try {
    await node.client.setDraining(draining);
  } catch (thrown) {
    const error = NereidError.from(thrown);
    const after = { ...about, error: error.message, code: error.code };
    await recordAudit({ ctx, input: { ...target, reason, outcome: "failed", after } });
    throw error;
  }
  await recordAudit({ ctx, input: { ...target, reason, outcome: "succeeded", after: about } });
}
