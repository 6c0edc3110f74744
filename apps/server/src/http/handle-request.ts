import type { IncomingMessage, ServerResponse } from "node:http";
import { NereidError } from "@nereid/errors";
import { matchRoute, type Route } from "@nereid/protocol";
import { modelReady, serverLive, serverReady } from "../handlers/health.ts";
import { handleInfer } from "../handlers/infer.ts";
import { handleManagement } from "../handlers/management.ts";
import { modelConfig, modelMetadata, modelStatistics, serverMetadata } from "../handlers/metadata.ts";
import { loadModel, repositoryIndex, unloadModel } from "../handlers/repository.ts";
import type { ServerContext } from "../server-context.ts";
import { checkManagementKey, checkRestricted } from "./authorize.ts";
import { guardBrowser } from "./browser-guard.ts";
import { sendBuffer, sendError, sendJson } from "./http-error.ts";
import { readBody } from "./read-body.ts";

const EMPTY = Buffer.alloc(0);
const MANAGEMENT = "/nereid/v1/";
/** Load requests carry whole models in base64; index and unload requests are small. */
const CONTROL_BODY_LIMIT = 1 << 30;

/** One HTTP exchange of the V2 port, from the request line to the answer. Never throws. */
export async function handleRequest(
  context: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = request.url ?? "/";
  const management = target.startsWith(MANAGEMENT);
  try {
    if (context.options.managementKey === undefined) guardBrowser(request.headers, context.options.allowedHosts);
    if (management) {
      checkManagementKey(request.headers, context.options.managementKey);
      if (request.method !== "GET") throw new NereidError("METHOD_NOT_ALLOWED", "Method Not Allowed");
      await handleManagement(context, new URL(target, "http://localhost"), response);
      return;
    }
    const route = matchRoute(target);
    if (route === undefined) throw new NereidError("NOT_FOUND", "Not Found");
    checkRestricted(request.headers, route.category, context.options.restrictedApis);
    if (route.methods.every((method) => method !== request.method))
      throw new NereidError("METHOD_NOT_ALLOWED", "Method Not Allowed");
    await serve(context, route, { request, response });
  } catch (error) {
    // The rest of an unread body would be taken for the next request.
    if (!request.complete) response.shouldKeepAlive = false;
    sendError(response, error, { management });
  }
}

async function serve(
  context: ServerContext,
  route: Route,
  exchange: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const { request, response } = exchange;
  switch (route.kind) {
    case "modelInfer":
      return handleInfer(context, route, exchange);
    case "serverLive":
      return sendProbe(response, serverLive(context));
    case "serverReady":
      return sendProbe(response, serverReady(context));
    case "modelReady":
      if (modelReady(context, route.model, route.version)) return sendProbe(response, true);
      throw new NereidError("INVALID_ARGUMENT", "Model version not ready");
    case "serverMetadata":
      return sendJson(response, serverMetadata(context));
    case "modelMetadata":
      return sendJson(response, modelMetadata(context, route.model, route.version));
    case "modelConfig":
      return sendJson(response, modelConfig(context, route.model, route.version));
    case "modelStatistics":
      return sendJson(response, modelStatistics(context, route.model, route.version));
    case "allStatistics":
      return sendJson(response, modelStatistics(context));
    case "repositoryIndex":
      checkManagementKey(request.headers, context.options.managementKey);
      return sendJson(response, await repositoryIndex(context, await readBody(request, { limit: CONTROL_BODY_LIMIT })));
    case "modelLoad":
    case "modelUnload":
      return control(context, route, exchange);
    case "systemSharedMemory":
    case "cudaSharedMemory":
      if (route.action === "status") return sendJson(response, "[]");
      throw new NereidError(
        "UNSUPPORTED",
        "Client shared memory is disabled. Start the server with '--allow-client-shm=true' to enable.",
      );
    default:
      throw new NereidError("UNSUPPORTED", `'${route.kind}' is not served by this version of the server`);
  }
}

type ControlRoute = Extract<Route, { kind: "modelLoad" | "modelUnload" }>;

async function control(
  context: ServerContext,
  route: ControlRoute,
  exchange: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const { request, response } = exchange;
  checkManagementKey(request.headers, context.options.managementKey);
  if (route.repository !== undefined)
    throw new NereidError("UNSUPPORTED", "'repository_name' specification is not supported");
  const body = await readBody(request, { limit: CONTROL_BODY_LIMIT });
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (route.kind === "modelUnload") {
    await unloadModel(context, route.model, body);
  } else {
    const warnings = await loadModel(context, route.model, body);
    if (warnings.length > 0) headers["nereid-warnings"] = encodeURIComponent(JSON.stringify(warnings));
  }
  sendBuffer(response, EMPTY, { status: 200, headers });
}

function sendProbe(response: ServerResponse, good: boolean): void {
  sendBuffer(response, EMPTY, { status: good ? 200 : 400 });
}
