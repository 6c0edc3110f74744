import type { IncomingMessage, ServerResponse } from "node:http";
import { NereidError } from "@nereid/errors";
import type { BodyShare } from "../http/body-budget.ts";
import { sendBuffer, sendJson } from "../http/http-error.ts";
import { readJsonObject } from "../http/json-body.ts";
import type { DraftService } from "./draft-service.ts";
import { createTusServer, UPLOADS_PATH } from "./tus-server.ts";

/** JSON around a configuration text of up to 1 Mi characters. */
const BODY_LIMIT = 8 << 20;
const DRAFTS_PATH = "/nereid/v1/drafts";

export interface DraftExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly share: BodyShare;
}

/** Whether a path of the management API is one of the drafts or of their uploads. */
export function isDraftPath(pathname: string): boolean {
  return [DRAFTS_PATH, UPLOADS_PATH].some((path) => pathname === path || pathname.startsWith(`${path}/`));
}

/**
 * The handler of `/nereid/v1/drafts…` and, by tus 1.0.0, `/nereid/v1/uploads…`. Types: packages/client/src/repository-types.ts.
 * It throws what the caller answers with; errors of uploads are answered here.
 */
export function createDraftHandler(service: DraftService): (url: URL, exchange: DraftExchange) => Promise<void> {
  const tus = createTusServer(service.uploads);
  return async (url, exchange) => {
    if (!url.pathname.startsWith(DRAFTS_PATH)) return tus.handle(exchange.request, exchange.response);
    return handleDrafts(service, url, exchange);
  };
}

async function handleDrafts(service: DraftService, url: URL, exchange: DraftExchange): Promise<void> {
  const { request, response } = exchange;
  const match = /^(?:\/([^/]+)(?:\/(check|publish))?)?$/.exec(url.pathname.slice(DRAFTS_PATH.length));
  if (match === null) throw new NereidError("NOT_FOUND", "Not Found");
  const [, id, action] = match;
  const route = `${request.method} ${id === undefined ? "all" : (action ?? "one")}`;
  const answer = (value: unknown) => sendJson(response, JSON.stringify(value));
  switch (route) {
    case "GET all":
      return answer(await service.list());
    case "POST all": {
      const body = await readJsonObject({ ...exchange, limit: BODY_LIMIT });
      const author = text(body, "author");
      if (typeof author !== "string") throw new NereidError("INVALID_ARGUMENT", "'author' must be a string");
      return answer(await service.create({ author: author.slice(0, 200), ...wishes(body) }));
    }
    case "GET one":
      return answer(await service.get(id ?? ""));
    case "PATCH one": {
      const body = await readJsonObject({ ...exchange, limit: BODY_LIMIT });
      const configText = text(body, "configText");
      return answer(
        await service.patch(id ?? "", { ...wishes(body), ...(configText !== undefined && { configText }) }),
      );
    }
    case "DELETE one":
      await service.remove(id ?? "");
      return sendBuffer(response, Buffer.alloc(0), { status: 204 });
    case "POST check":
      await readJsonObject({ ...exchange, limit: BODY_LIMIT });
      return answer(await service.check(id ?? ""));
    case "POST publish": {
      const { load } = await readJsonObject({ ...exchange, limit: BODY_LIMIT });
      if (typeof load !== "boolean") throw new NereidError("INVALID_ARGUMENT", "'load' must be true or false");
      return answer(await service.publish(id ?? "", { load }));
    }
    default:
      throw new NereidError("METHOD_NOT_ALLOWED", "Method Not Allowed");
  }
}

type Body = Readonly<Record<string, unknown>>;

function wishes(body: Body): { model?: string | null; version?: string | null } {
  const model = text(body, "model");
  const version = text(body, "version");
  return { ...(model !== undefined && { model }), ...(version !== undefined && { version }) };
}

/** A member that is text, null, or not there. */
function text(body: Body, name: string): string | null | undefined {
  const value = body[name];
  if (value === undefined || value === null || typeof value === "string") return value;
  throw new NereidError("INVALID_ARGUMENT", `'${name}' must be a string or null`);
}
