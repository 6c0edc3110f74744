import { randomUUID } from "node:crypto";
import type { Database, Transaction } from "@nereid/db";
import { findTroubles, type TroubleSources } from "./find-troubles.ts";
import { planAlerts } from "./plan-alerts.ts";

export type AlertEvent = "opened" | "closed";

/** One look: opens and closes alerts, and queues what has to be told of it. Answers how many changed. */
export async function reviewAlerts(
  sources: TroubleSources,
): Promise<{ readonly opened: number; readonly closed: number }> {
  const { db, clock } = sources;
  const open = await db.alert.findMany({ where: { closedAt: null }, select: { key: true } });
  const openKeys = open.map(({ key }) => key);
  const { troubles, unknown } = await findTroubles(sources, openKeys);
  const plan = planAlerts(troubles, { openKeys, unknown });
  if (plan.open.length + plan.close.length === 0) return { opened: 0, closed: 0 };
  const at = new Date(clock.now());
  await db.$transaction(async (tx) => {
    for (const { key, severity, title, model, node, sloId, facts } of plan.open) {
      const alert = await tx.alert.create({
        data: {
          id: randomUUID(),
          key,
          severity,
          title,
          model: model ?? null,
          node: node ?? null,
          sloId: sloId ?? null,
          openedAt: at,
          facts: { ...facts },
        },
      });
      await queueDeliveries(tx, { alertId: alert.id, severity, event: "opened", at });
    }
    for (const key of plan.close) {
      const alert = await tx.alert.findFirst({ where: { key, closedAt: null } });
      if (alert === null) continue;
      await tx.alert.update({ where: { id: alert.id }, data: { closedAt: at } });
      await queueDeliveries(tx, { alertId: alert.id, severity: alert.severity, event: "closed", at });
    }
  });
  return { opened: plan.open.length, closed: plan.close.length };
}

interface Telling {
  readonly alertId: string;
  readonly severity: string;
  readonly event: AlertEvent;
  readonly at: Date;
}

async function queueDeliveries(tx: Transaction, { alertId, severity, event, at }: Telling): Promise<void> {
  const channels = await tx.alertChannel.findMany({ where: { enabled: true } });
  for (const channel of channels) {
    if (!readSeverities(channel.severities).includes(severity)) continue;
    await tx.alertDelivery.create({
      data: { id: randomUUID(), alertId, channelId: channel.id, event, state: "waiting", nextAt: at, createdAt: at },
    });
  }
}

/** The severities that a channel wants; none for a text that is no list. */
export function readSeverities(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
  } catch {
    return [];
  }
}

const FORGET_AFTER_MS = 90 * 86_400_000;

/** Removes closed alerts that nobody looks for any more, with what was told of them. */
export async function forgetOldAlerts(db: Database, nowMs: number): Promise<void> {
  await db.alert.deleteMany({ where: { closedAt: { lt: new Date(nowMs - FORGET_AFTER_MS) } } });
}
