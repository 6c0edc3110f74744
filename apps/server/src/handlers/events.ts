import type { IncomingMessage, ServerResponse } from "node:http";
import { NereidError } from "@nereid/errors";
import { sendJson } from "../http/http-error.ts";
import { oneHeader } from "../http/one-header.ts";
import type { ServerContext } from "../server-context.ts";
import type { ServerEvent } from "../state/event-log.ts";

const SLOW_READER_BYTES = 1 << 20;
/** Proxies end streams on which nothing happens. */
const KEEP_ALIVE_MS = 15_000;

/**
 * `GET /nereid/v1/events?after=ID&model=M`: server-sent events, first those remembered after this id, then live ones. `Last-Event-ID`
 * stands for `after`. An event `gap` comes first where some between are forgotten. A reader that lags is dropped and may resume.
 * With `Accept: application/json` the remembered ones alone.
 */
export function answerEvents(
  context: ServerContext,
  url: URL,
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse },
): void {
  if (!wantsJson(exchange.request.headers.accept)) {
    streamEvents(context, url, exchange);
    return;
  }
  const after = idOf(url.searchParams.get("after"));
  const model = url.searchParams.get("model");
  const rows = context.events.after(after).filter((event) => model === null || event.model === model);
  sendJson(exchange.response, JSON.stringify(rows));
}

function streamEvents(
  { events }: ServerContext,
  url: URL,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): void {
  const after = idOf(url.searchParams.get("after") ?? oneHeader(request.headers["last-event-id"]));
  const model = url.searchParams.get("model");
  response.writeHead(200, ["Content-Type", "text/event-stream", "Cache-Control", "no-store"]);
  response.write(":\n\n");
  const send = (event: ServerEvent) => {
    if (model !== null && event.model !== model) return;
    response.write(`id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`);
    if (response.writableLength > SLOW_READER_BYTES) response.destroy();
  };
  if (after !== undefined && events.isGap(after)) response.write("event: gap\ndata: {}\n\n");
  for (const event of events.after(after)) send(event);
  const unsubscribe = events.subscribe(send);
  const alive = setInterval(() => response.write(":\n\n"), KEEP_ALIVE_MS);
  alive.unref();
  response.once("close", () => {
    unsubscribe();
    clearInterval(alive);
  });
}

/** Whether JSON is asked for by name, and a stream is not. */
function wantsJson(accept = ""): boolean {
  const types = accept.split(",").map((one) => one.split(";", 1)[0]?.trim().toLowerCase());
  return types.includes("application/json") && !types.includes("text/event-stream");
}

function idOf(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined) return undefined;
  if (!/^\d{1,16}$/.test(text))
    throw new NereidError("INVALID_ARGUMENT", `'after' must be the id of an event, got '${text.slice(0, 50)}'`);
  return Number(text);
}
