import { NereidError } from "@nereid/errors";
import { initTRPC } from "@trpc/server";
import superjson from "superjson";
import type { ApiContext } from "./context.ts";
import type { ProcedureMeta } from "./rest/rest-meta.ts";
import { serviceContext } from "./service-context.ts";
import { isServerFault, toTrpcError } from "./to-trpc-error.ts";

/** What every failed call carries beside tRPC's own fields. */
export interface ErrorExtras {
  readonly nereidCode: string | null;
  readonly fix: string | null;
  readonly requestId: string | null;
}

const t = initTRPC
  .context<ApiContext>()
  .meta<ProcedureMeta>()
  .create({
    transformer: superjson,
    sse: {
      ping: { enabled: true, intervalMs: 5_000 },
      client: { reconnectAfterInactivityMs: 15_000 },
    },
    errorFormatter: ({ shape, error, ctx }) => {
      const mapped = toTrpcError(error);
      const cause = mapped.cause instanceof NereidError ? mapped.cause : undefined;
      const { stack: _hidden, ...data } = shape.data;
      const extras: ErrorExtras = {
        nereidCode: cause?.code ?? null,
        fix: cause?.fix ?? null,
        requestId: ctx?.base.requestId ?? null,
      };
      return { ...shape, message: mapped.message, data: { ...data, ...extras } };
    },
  });

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** Maps failures once, for every procedure. */
const procedure = t.procedure.use(async ({ ctx, path, next }) => {
  const result = await next();
  if (result.ok) return result;
  const error = toTrpcError(result.error);
  if (isServerFault(error)) ctx.logError(result.error.cause ?? result.error, path);
  throw error;
});

/** No session needed: only for the first run and for asking who one is. */
export const publicProcedure = procedure;

/** Needs a session. What a role may do is decided, and audited where it changes something, by the verbs. */
export const viewerProcedure = procedure.use(({ ctx, next }) => {
  if (ctx.actor === null) throw new NereidError("UNAUTHENTICATED", "sign in to do this");
  return next({ ctx: { actor: ctx.actor, service: serviceContext(ctx, ctx.actor) } });
});
