import type { Database } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { toAlert } from "./alert-record.ts";
import type { Message } from "./post-message.ts";
import { signMessage } from "./sign-message.ts";

export interface DeliveryParts {
  readonly db: Database;
  readonly clock: { readonly now: () => number };
  /** Reads a channel's secret. */
  readonly unseal: (sealed: string) => string;
  readonly post: (message: Message) => Promise<number>;
  /** Where people look at alerts; undefined where it is not known. */
  readonly dashboardUrl?: string | undefined;
}

/** Waits before the second, third, … try: together most of a day. */
const PAUSES_S = [10, 30, 120, 600, 1_800, 7_200, 14_400, 28_800];

const MOST_LOOKED_AT = 500;
/** Of one receiver at a time: one that hangs must not take the place of all the others. */
const AT_ONCE = 4;

/** Sends what is due, the oldest first. One message does not wait for another's receiver. Answers how many arrived. */
export async function deliverAlerts(parts: DeliveryParts): Promise<number> {
  const { db, clock } = parts;
  const due = await db.alertDelivery.findMany({
    where: { state: "waiting", nextAt: { lte: new Date(clock.now()) } },
    include: { alert: true, channel: true },
    orderBy: { createdAt: "asc" },
    take: MOST_LOOKED_AT,
  });
  const perChannel = new Map<string, number>();
  const turn = due.filter(({ channelId }) => {
    const taken = perChannel.get(channelId) ?? 0;
    perChannel.set(channelId, taken + 1);
    return taken < AT_ONCE;
  });
  const sent = await Promise.all(
    turn.map(async ({ id, event, attempts, alert, channel }) => {
      const problem = await tryToSend(parts, { id, event, alert: toAlert(alert), channel });
      const tries = attempts + 1;
      const pause = PAUSES_S[attempts];
      const now = clock.now();
      await db.alertDelivery.update({
        where: { id },
        data:
          problem === undefined
            ? { state: "delivered", attempts: tries, deliveredAt: new Date(now), lastError: null }
            : pause === undefined
              ? { state: "given-up", attempts: tries, lastError: problem }
              : { attempts: tries, lastError: problem, nextAt: new Date(now + pause * 1000) },
      });
      return problem === undefined;
    }),
  );
  return sent.filter(Boolean).length;
}

interface Sending {
  readonly id: string;
  readonly event: string;
  readonly alert: object;
  readonly channel: { readonly url: string; readonly secret: string };
}

/** The message for a channel, signed. */
export function messageOf(
  { clock, unseal, dashboardUrl }: Pick<DeliveryParts, "clock" | "unseal" | "dashboardUrl">,
  { id, event, alert, channel }: Sending,
): Message {
  const timestamp = String(Math.floor(clock.now() / 1000));
  const body = JSON.stringify({
    id,
    event,
    alert,
    ...(dashboardUrl !== undefined && { dashboard: `${dashboardUrl}/alerts` }),
  });
  return {
    url: channel.url,
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "nereid",
      "x-nereid-delivery": id,
      "x-nereid-timestamp": timestamp,
      "x-nereid-signature": `sha256=${signMessage(unseal(channel.secret), { timestamp, body })}`,
    },
  };
}

/** What went wrong; undefined when the receiver has taken it. */
async function tryToSend(parts: DeliveryParts, sending: Sending): Promise<string | undefined> {
  try {
    const status = await parts.post(messageOf(parts, sending));
    return status >= 200 && status < 300 ? undefined : `answered with status ${status}`;
  } catch (error) {
    return NereidError.from(error).message;
  }
}
