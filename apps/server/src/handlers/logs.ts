import type { IncomingMessage, ServerResponse } from "node:http";
import { NereidError } from "@nereid/errors";
import { sendJson } from "../http/http-error.ts";
import { oneHeader } from "../http/one-header.ts";
import { fits, LOG_LEVELS, type LogFilter, type ModelLogLine } from "../logging/model-logs.ts";
import type { ServerContext } from "../server-context.ts";

const SLOW_READER_BYTES = 1 << 20;
/** Proxies end streams on which nothing happens. */
const KEEP_ALIVE_MS = 15_000;
const MOST = 5_000;
const DEFAULT_LIMIT = 1_000;

/**
 * `GET /nereid/v1/logs?model&version&instance&level&q&since&after&limit`: lines that are remembered, the oldest first, as JSON; with
 * `Accept: text/event-stream` as server-sent events that go on with the live ones. `after` is the id of a line, and `Last-Event-ID`
 * stands for it. An event `gap`, or `gap: true`, tells that lines after it were given up. INVALID_ARGUMENT for what makes no sense.
 */
export function answerLogs(
  context: ServerContext,
  url: URL,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): void {
  const { logs } = context;
  const query = url.searchParams;
  const filter = filterOf(query);
  const after = idOf(query.get("after") ?? oneHeader(request.headers["last-event-id"]));
  const limit = wholeOf(query, "limit", { most: MOST }) ?? DEFAULT_LIMIT;
  if (request.headers.accept?.includes("text/event-stream") !== true) {
    const lines = logs.after(after ?? 0, filter, limit);
    sendJson(response, JSON.stringify({ lines, next: logs.last, gap: after !== undefined && logs.isGap(after) }));
    return;
  }
  response.writeHead(200, ["Content-Type", "text/event-stream", "Cache-Control", "no-store"]);
  response.write(":\n\n");
  const send = (line: ModelLogLine) => {
    response.write(`id: ${line.id}\ndata: ${JSON.stringify(line)}\n\n`);
    if (response.writableLength > SLOW_READER_BYTES) response.destroy();
  };
  if (after !== undefined && logs.isGap(after)) response.write("event: gap\ndata: {}\n\n");
  for (const line of logs.after(after ?? 0, filter, limit)) send(line);
  const unsubscribe = logs.subscribe((line) => {
    if (fits(line, filter)) send(line);
  });
  const alive = setInterval(() => response.write(":\n\n"), KEEP_ALIVE_MS);
  alive.unref();
  response.once("close", () => {
    unsubscribe();
    clearInterval(alive);
  });
}

function filterOf(query: URLSearchParams): LogFilter {
  const asked = query.get("level");
  const level = LOG_LEVELS.find((known) => known === asked);
  if (asked !== null && level === undefined)
    throw new NereidError("INVALID_ARGUMENT", `'level' must be ${LOG_LEVELS.join(", ")}, got '${asked.slice(0, 50)}'`);
  return {
    model: query.get("model") ?? undefined,
    version: query.get("version") ?? undefined,
    instance: query.get("instance") ?? undefined,
    level,
    q: query.get("q") ?? undefined,
    sinceMs: wholeOf(query, "since", { most: Number.MAX_SAFE_INTEGER }),
  };
}

function wholeOf(query: URLSearchParams, name: string, { most }: { readonly most: number }): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,16}$/.test(text) || Number(text) > most)
    throw new NereidError(
      "INVALID_ARGUMENT",
      `'${name}' must be a whole number up to ${most}, got '${text.slice(0, 50)}'`,
    );
  return Number(text);
}

function idOf(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined) return undefined;
  if (!/^\d{1,16}$/.test(text))
    throw new NereidError("INVALID_ARGUMENT", `'after' must be the id of a line, got '${text.slice(0, 50)}'`);
  return Number(text);
}
