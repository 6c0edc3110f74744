import { randomUUID } from "node:crypto";
import { type ApiContext, problemResponse, serviceContext } from "@nereid/api";
import { NereidError } from "@nereid/errors";
import type { ServiceContext } from "@nereid/services";
import { logError } from "./log.ts";
import { restContext } from "./rest-context.ts";

/**
 * A route handler beside the procedures: knows who is calling, and answers every failure with a problem. `answer` runs only for those
 * who are signed in or have a key.
 */
export async function restRoute(
  request: Request,
  answer: (call: { ctx: ServiceContext; api: ApiContext }) => Promise<Response>,
): Promise<Response> {
  let requestId: string = randomUUID();
  try {
    const api = await restContext(request);
    requestId = api.base.requestId;
    if (api.actor === null) {
      throw new NereidError("UNAUTHENTICATED", "sign in, or send an API key", {
        fix: "send Authorization: Bearer nrd_…",
      });
    }
    return await answer({ ctx: serviceContext(api, api.actor), api });
  } catch (thrown) {
    if (!(thrown instanceof NereidError) || thrown.code === "INTERNAL") {
      logError(`route ${new URL(request.url).pathname}`, thrown, { requestId });
    }
    return problemResponse(thrown, requestId);
  }
}
