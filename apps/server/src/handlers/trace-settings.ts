import { parseTraceSettingsBody } from "@nereid/protocol";
import { checkManagementKey } from "../http/authorize.ts";
import { sendJson } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import type { ServerContext } from "../server-context.ts";
import type { TraceSettingValues } from "../tracing/trace-settings.ts";
import { SMALL_BODY_LIMIT } from "./control.ts";
import type { Exchange } from "./exchange.ts";

/**
 * `GET` and `POST /v2[/models/M]/trace/setting` (http.md §12); `model` undefined = the server's own. Changing needs the management
 * key where there is one.
 */
export async function handleTraceSettings(
  context: ServerContext,
  model: string | undefined,
  { request, response, share }: Exchange,
): Promise<void> {
  // An unknown model is said before anything about the body.
  let values = context.traceSettings.view(model);
  if (request.method === "POST") {
    checkManagementKey(request.headers, context.options.managementKey);
    const change = parseTraceSettingsBody(await readBody(request, { limit: SMALL_BODY_LIMIT, share }));
    values = context.traceSettings.update(model, change);
  }
  sendJson(response, settingsJson(values));
}

/** The levels are a list, everything else is one text. */
function settingsJson(values: TraceSettingValues): string {
  return JSON.stringify(
    Object.fromEntries([...values].map(([name, list]) => [name, name === "trace_level" ? list : list.join(",")])),
  );
}
