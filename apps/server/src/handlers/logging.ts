import { parseLogSettingsBody } from "@nereid/protocol";
import { checkManagementKey } from "../http/authorize.ts";
import { sendJson } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import type { ServerContext } from "../server-context.ts";
import { SMALL_BODY_LIMIT } from "./control.ts";
import type { Exchange } from "./exchange.ts";

/** `GET` and `POST /v2/logging` (http.md §13). Changing needs the management key where there is one. */
export async function handleLogging(context: ServerContext, { request, response, share }: Exchange): Promise<void> {
  if (request.method === "POST") {
    checkManagementKey(request.headers, context.options.managementKey);
    context.logSettings.update(parseLogSettingsBody(await readBody(request, { limit: SMALL_BODY_LIMIT, share })));
  }
  const values = context.logSettings.get();
  sendJson(
    response,
    JSON.stringify({
      log_file: values.logFile,
      log_info: values.logInfo,
      log_warning: values.logWarning,
      log_error: values.logError,
      log_verbose_level: values.logVerboseLevel,
      log_format: values.logFormat,
    }),
  );
}
