import { randomBytes, randomUUID } from "node:crypto";
import type { AlertChannel } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { authoriseChange } from "../access/authorise-change.ts";
import { authorise } from "../access/permissions.ts";
import { changeRecords } from "../change-records.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { shownName } from "../slos/slo-input.ts";
import { messageOf } from "./deliver-alerts.ts";
import { readSeverities } from "./watch-alerts.ts";

const severities = z.array(z.enum(["page", "ticket"])).min(1);
const channelId = z.string().min(1).max(100);
const MOST_CHANNELS = 20;

/** Where alerts are sent; its secret is shown once, when it is made. */
export interface ChannelRecord {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly severities: readonly string[];
  readonly enabled: boolean;
  readonly createdByName: string;
  /** Of the last message; nulls before the first. */
  readonly last: { readonly state: string; readonly error: string | null; readonly atMs: number } | null;
}

function toChannel(row: AlertChannel, last: ChannelRecord["last"] = null): ChannelRecord {
  const { id, name, url, enabled, createdByName } = row;
  return { id, name, url, severities: readSeverities(row.severities), enabled, createdByName, last };
}

/** Every channel, with what became of its last message. */
export async function listChannels({ ctx }: Pick<Call, "ctx">): Promise<ChannelRecord[]> {
  authorise(ctx.actor, "channel.manage");
  const rows = await ctx.db.alertChannel.findMany({
    orderBy: { name: "asc" },
    include: { deliveries: { orderBy: { createdAt: "desc" }, take: 1 } },
  });
  return rows.map(({ deliveries: [last], ...row }) =>
    toChannel(
      row,
      last === undefined ? null : { state: last.state, error: last.lastError, atMs: last.createdAt.getTime() },
    ),
  );
}

export const saveChannelInput = z.object({
  id: channelId.optional(),
  name: shownName,
  url: z.url({ protocol: /^https?$/ }).max(2000),
  severities,
  enabled: z.boolean().default(true),
});

export interface SavedChannel {
  readonly channel: ChannelRecord;
  /** Only of a new channel: what its messages are signed with. */
  readonly secret: string | null;
}

/** Adds or changes a channel. The address may hold a token, so the audit row names only its host. INVALID_ARGUMENT for one inside. */
export async function saveChannel({ ctx, input }: Call<z.input<typeof saveChannelInput>>): Promise<SavedChannel> {
  const { id, severities: wanted, ...fields } = parseInput(saveChannelInput, input);
  const data = { ...fields, severities: JSON.stringify(wanted) };
  const shown = {
    name: fields.name,
    host: new URL(fields.url).host,
    severities: wanted.join(", "),
    enabled: fields.enabled,
  };
  const target = {
    action: id === undefined ? "channel.create" : "channel.change",
    targetType: "channel",
    targetId: id ?? fields.name,
  };
  // Names are looked up for those who may, and outside of the transaction: that can take seconds.
  await authoriseChange(ctx, "channel.manage", target);
  await refuseInside(ctx, fields.url);
  return changeRecords<SavedChannel>(ctx, {
    ...target,
    permission: "channel.manage",
    work: async (tx) => {
      if (id === undefined) {
        if ((await tx.alertChannel.count()) >= MOST_CHANNELS) {
          throw new NereidError("CONFLICT", `there are ${MOST_CHANNELS} channels already`, { fix: "remove one first" });
        }
        const secret = randomBytes(24).toString("base64url");
        const row = await tx.alertChannel.create({
          data: {
            id: randomUUID(),
            ...data,
            secret: ctx.alerts.seal(secret),
            createdAt: new Date(ctx.clock.now()),
            createdByName: ctx.actor.name,
          },
        });
        return { result: { channel: toChannel(row), secret }, targetId: row.id, after: shown };
      }
      const old = await tx.alertChannel.findUnique({ where: { id } });
      if (old === null) throw noSuchChannel(id);
      const row = await tx.alertChannel.update({ where: { id }, data });
      const before = {
        name: old.name,
        host: new URL(old.url).host,
        severities: readSeverities(old.severities).join(", "),
        enabled: old.enabled,
      };
      return { result: { channel: toChannel(row), secret: null }, before, after: shown };
    },
  });
}

/** INVALID_ARGUMENT for an address that nothing would ever be sent to. A name that cannot be resolved now may be later. */
async function refuseInside(ctx: Call["ctx"], url: string): Promise<void> {
  try {
    await ctx.alerts.check(new URL(url));
  } catch (thrown) {
    const { code, message, fix } = NereidError.from(thrown);
    if (code === "UNAVAILABLE") return;
    throw new NereidError("INVALID_ARGUMENT", `url: ${message}`, { ...(fix !== undefined && { fix }), cause: thrown });
  }
}

export const channelInput = z.object({ id: channelId });

/** Takes a channel away, with what waits for it. */
export async function removeChannel({ ctx, input }: Call<z.input<typeof channelInput>>): Promise<ChannelRecord> {
  const { id } = parseInput(channelInput, input);
  return changeRecords(ctx, {
    action: "channel.remove",
    permission: "channel.manage",
    targetType: "channel",
    targetId: id,
    work: async (tx) => {
      const row = await tx.alertChannel.findUnique({ where: { id } });
      if (row === null) throw noSuchChannel(id);
      await tx.alertChannel.delete({ where: { id } });
      return { result: toChannel(row), before: { name: row.name, host: new URL(row.url).host } };
    },
  });
}

/** Sends a message that says it is a test, now, and answers how the receiver took it. */
export async function testChannel({
  ctx,
  input,
}: Call<z.input<typeof channelInput>>): Promise<{ readonly status: number }> {
  const { id } = parseInput(channelInput, input);
  const found = await changeRecords(ctx, {
    action: "channel.test",
    permission: "channel.manage",
    targetType: "channel",
    targetId: id,
    work: async (tx) => {
      const row = await tx.alertChannel.findUnique({ where: { id } });
      if (row === null) throw noSuchChannel(id);
      return { result: row, after: { host: new URL(row.url).host } };
    },
  });
  const alert = { title: "A test of this channel", severity: "ticket", openedAtMs: ctx.clock.now() };
  const parts = { clock: ctx.clock, unseal: ctx.alerts.unseal };
  return {
    status: await ctx.alerts.post(messageOf(parts, { id: randomUUID(), event: "test", alert, channel: found })),
  };
}

function noSuchChannel(id: string): NereidError {
  return new NereidError("NOT_FOUND", `there is no channel ${id}`, {
    fix: "it may have been removed; look at the list",
  });
}
