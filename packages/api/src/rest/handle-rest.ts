import { randomUUID } from "node:crypto";
import { NereidError } from "@nereid/errors";
import type { ApiContext } from "../context.ts";
import { createCaller } from "../root.ts";
import { isServerFault, toTrpcError } from "../to-trpc-error.ts";
import { problemResponse } from "./problem.ts";
import { readInput } from "./read-input.ts";
import { matchRoute } from "./routes.ts";

export interface RestCall {
  readonly request: Request;
  /** Path below /api/v1, as it stands in the address. */
  readonly path: string;
  /** Says who is calling; may throw, as for a key that has expired. */
  readonly context: (request: Request) => Promise<ApiContext>;
}

/** Answers a request under /api/v1 by the procedure that has its route. Total: every failure is a problem. */
export async function handleRest({ request, path, context }: RestCall): Promise<Response> {
  let requestId: string = randomUUID();
  try {
    const match = matchRoute(request.method, path);
    if (match.kind === "none") {
      throw new NereidError("NOT_FOUND", `there is no ${request.method} ${path} here`, {
        fix: "look at /api/v1 for what there is",
      });
    }
    if (match.kind === "other-method") {
      const allow = match.allowed.join(", ");
      const error = new NereidError("METHOD_NOT_ALLOWED", `this address takes ${allow}`);
      return problemResponse(error, requestId, { allow });
    }
    const ctx = await context(request);
    requestId = ctx.base.requestId;
    const { operation, params } = match;
    // Nobody reads the bodies of strangers.
    if (ctx.actor === null && operation.route.permission !== "public") {
      throw new NereidError("UNAUTHENTICATED", "sign in, or send an API key", {
        fix: "send Authorization: Bearer nrd_…",
      });
    }
    const result = await callProcedure(ctx, operation.name, await readInput(request, operation, params));
    const headers = { "cache-control": "no-store", "x-request-id": requestId };
    return result === undefined ? new Response(null, { status: 204, headers }) : Response.json(result, { headers });
  } catch (thrown) {
    return problemResponse(thrown, requestId);
  }
}

/** As tRPC's own callers; failures are mapped, and logged where they are ours, by the procedure. */
async function callProcedure(ctx: ApiContext, name: string, input: unknown): Promise<unknown> {
  const [group = "", verb = ""] = name.split(".");
  // The caller's type has every procedure by name; here the name is a value.
  const caller = createCaller(ctx) as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
  try {
    return await caller[group]?.[verb]?.(input);
  } catch (thrown) {
    const error = toTrpcError(thrown);
    if (isServerFault(error) && !(error.cause instanceof NereidError)) ctx.logError(thrown, name);
    throw error;
  }
}
