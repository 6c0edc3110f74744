import { NereidError } from "@nereid/errors";
import type { Actor } from "@nereid/services";
import type { ApiContext } from "./context.ts";
import { isServerFault, toTrpcError } from "./to-trpc-error.ts";

const RECHECK_MS = 30_000;

export interface GuardedStream<Item> {
  readonly ctx: ApiContext & { readonly actor: Actor };
  readonly path: string;
  readonly items: AsyncIterable<Item>;
}

/** Passes a stream on while the session behind it lives and keeps its role; maps its failures like every other call's. */
export async function* guardStream<Item>({
  ctx,
  path,
  items,
}: GuardedStream<Item>): AsyncGenerator<Item, void, undefined> {
  let checkedAt = ctx.base.clock.now();
  let leave = () => {};
  try {
    leave = ctx.streams.enter(ctx.sessionId ?? ctx.actor.id);
    for await (const item of items) {
      const now = ctx.base.clock.now();
      if (now - checkedAt >= RECHECK_MS) {
        checkedAt = now;
        const actor = await ctx.refreshActor();
        if (actor?.id !== ctx.actor.id) throw new NereidError("UNAUTHENTICATED", "the session has ended");
        if (actor.role !== ctx.actor.role) throw new NereidError("FORBIDDEN", "the role has changed; reload the page");
      }
      yield item;
    }
    // An orderly end would tell the browser not to come back; it shall reconnect to whoever runs next.
    if (ctx.shutdown.aborted) throw new NereidError("UNAVAILABLE", "the dashboard is restarting");
  } catch (thrown) {
    const error = toTrpcError(thrown);
    if (isServerFault(error)) ctx.logError(thrown, path);
    throw error;
  } finally {
    leave();
  }
}
