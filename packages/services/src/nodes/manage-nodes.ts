import { randomBytes } from "node:crypto";
import { isUniqueViolation, type Node, type Transaction } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import type { z } from "zod";
import { changeRecords } from "../change-records.ts";
import type { Call, ServiceContext } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { LOCAL_NODE } from "./managed-node.ts";
import { addNodeInput, editNodeInput, removeNodeInput } from "./node-input.ts";

const MOST_NODES = 64;
const ID_BYTES = 5;

/** Puts another server under the dashboard's care. CONFLICT when the name is taken. */
export async function addNode({ ctx, input }: Call<z.input<typeof addNodeInput>>): Promise<{ readonly id: string }> {
  const { name, kind, url, metricsUrl = null, grpcUrl = null, key, reason } = parseInput(addNodeInput, input);
  const id = `n${randomBytes(ID_BYTES).toString("hex")}`;
  const added = await change(ctx, { action: "node.add", id, reason }, async (tx) => {
    if ((await tx.node.count()) >= MOST_NODES)
      throw new NereidError("TOO_MANY_REQUESTS", `there are ${MOST_NODES} nodes at most`, { fix: "remove old ones" });
    await requireFreeName(tx, name);
    const secret = key == null ? null : ctx.nodeControl.seal(key);
    const createdAt = new Date(ctx.clock.now());
    const row = await tx.node.create({
      data: { id, name, kind, url, metricsUrl, grpcUrl, secret, createdAt, addedByName: ctx.actor.name },
    });
    return { result: { id }, after: shown(row) };
  });
  await ctx.nodeControl.refresh();
  return added;
}

/**
 * Changes how a server is called and reached. A key is kept only for the origin that it was given for: an address elsewhere needs it
 * again.
 */
export async function editNode({ ctx, input }: Call<z.input<typeof editNodeInput>>): Promise<void> {
  const { id, name, kind, url, metricsUrl = null, grpcUrl = null, key, reason } = parseInput(editNodeInput, input);
  await change(ctx, { action: "node.edit", id, reason }, async (tx) => {
    const before = await requireRow(tx, id);
    await requireFreeName(tx, name, id);
    if (key === undefined && before.secret !== null && !sameOrigin(before.url, url)) {
      throw new NereidError("INVALID_ARGUMENT", "the address is another server's: the stored key is not sent there", {
        fix: "enter the key again, or remove it",
      });
    }
    const elsewhere = [
      ["metricsUrl", before.metricsUrl, metricsUrl] as const,
      ["grpcUrl", before.grpcUrl, grpcUrl] as const,
    ].find(([, old, wanted]) => wanted !== null && wanted !== old && !sameHost(wanted, url));
    if (key === undefined && before.secret !== null && elsewhere !== undefined) {
      throw new NereidError(
        "INVALID_ARGUMENT",
        `${elsewhere[0]}: the address is another host's: the stored key is not sent there`,
        { fix: "enter the key again, or remove it" },
      );
    }
    const secret = key === undefined ? before.secret : key === null ? null : ctx.nodeControl.seal(key);
    const row = await tx.node.update({ where: { id }, data: { name, kind, url, metricsUrl, grpcUrl, secret } });
    const keyChanged = key !== undefined && (key !== null || before.secret !== null);
    return { result: undefined, before: shown(before), after: { ...shown(row), ...(keyChanged && { keyChanged }) } };
  });
  await ctx.nodeControl.refresh();
}

/** Leaves a server alone: it goes on as it is, and its history is kept until its time is over. */
export async function removeNode({ ctx, input }: Call<z.input<typeof removeNodeInput>>): Promise<void> {
  const { id, reason } = parseInput(removeNodeInput, input);
  await change(ctx, { action: "node.remove", id, reason }, async (tx) => {
    const before = await requireRow(tx, id);
    await tx.node.delete({ where: { id } });
    return { result: undefined, before: shown(before) };
  });
  await ctx.nodeControl.refresh();
}

type Work<Result> = (
  tx: Transaction,
) => Promise<{ readonly result: Result; readonly before?: unknown; readonly after?: unknown }>;

function change<Result>(
  ctx: ServiceContext,
  { action, id, reason }: { readonly action: string; readonly id: string; readonly reason: string | undefined },
  work: Work<Result>,
): Promise<Result> {
  return changeRecords(ctx, {
    action,
    permission: "node.manage",
    targetType: "node",
    targetId: id,
    reason,
    work: async (tx) => {
      try {
        return await work(tx);
      } catch (error) {
        if (isUniqueViolation(error)) throw nameTaken();
        throw error;
      }
    },
  });
}

async function requireRow(tx: Transaction, id: string): Promise<Node> {
  if (id === LOCAL_NODE) {
    throw new NereidError("INVALID_ARGUMENT", "the local node is set where the dashboard is started", {
      fix: "start it with another NEREID_SERVER_URL",
    });
  }
  const row = await tx.node.findUnique({ where: { id } });
  if (row === null) throw new NereidError("NOT_FOUND", `there is no node '${id}'`);
  return row;
}

async function requireFreeName(tx: Transaction, name: string, but?: string): Promise<void> {
  const names = await tx.node.findMany({ select: { id: true, name: true } });
  const taken = names.some((row) => row.id !== but && row.name.toLowerCase() === name.toLowerCase());
  if (taken || name.toLowerCase() === LOCAL_NODE) throw nameTaken();
}

function nameTaken(): NereidError {
  return new NereidError("CONFLICT", "another node has this name", { fix: "choose another name" });
}

function sameHost(a: string, b: string): boolean {
  return new URL(a).hostname === new URL(b).hostname;
}

function sameOrigin(a: string, b: string): boolean {
  return new URL(a).origin === new URL(b).origin;
}

/** What the trail says of a node; of its key only that there is one. */
function shown({ name, kind, url, metricsUrl, grpcUrl, secret, cordoned }: Node) {
  return { name, kind, url, metricsUrl, grpcUrl, hasKey: secret !== null, cordoned };
}
