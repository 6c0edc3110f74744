import type { IncomingMessage, ServerResponse } from "node:http";
import { NereidError } from "@nereid/errors";
import { matchRoute, type Route } from "@nereid/protocol";
import { handleControl, SMALL_BODY_LIMIT } from "../handlers/control.ts";
import { modelReady, serverLive, serverReady } from "../handlers/health.ts";
import { handleInfer } from "../handlers/infer.ts";
import { handleManagement } from "../handlers/management.ts";
import { modelConfig, modelMetadata, modelStatistics, serverMetadata } from "../handlers/metadata.ts";
import { repositoryIndex } from "../handlers/repository.ts";
import type { ServerContext } from "../server-context.ts";
import { checkManagementKey, checkRestricted } from "./authorize.ts";
import type { BodyShare } from "./body-budget.ts";
import { guardBrowser } from "./browser-guard.ts";
import { sendBuffer, sendError, sendJson } from "./http-error.ts";
import { readBody } from "./read-body.ts";

const EMPTY = Buffer.alloc(0);
const MANAGEMENT = "/nereid/v1/";

/** One HTTP exchange of the V2 port, from the request line to the answer. Never throws. */
export async function handleRequest(
  context: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = request.url ?? "/";
  const management = target.startsWith(MANAGEMENT);
  const share = context.bodies.open();
  response.once("close", share.close);
  try {
    if (context.options.managementKey === undefined) guardBrowser(request.headers, context.options.allowedHosts);
    if (management) {
      checkManagementKey(request.headers, context.options.managementKey);
      await handleManagement(context, new URL(target, "http://localhost"), { request, response, share });
      return;
    }
    const route = matchRoute(target);
    if (route === undefined) throw new NereidError("NOT_FOUND", "Not Found");
    checkRestricted(request.headers, route.category, context.options.restrictedApis);
    if (route.methods.every((method) => method !== request.method))
      throw new NereidError("METHOD_NOT_ALLOWED", "Method Not Allowed");
    await serve(context, withPlainVersion(route), { request, response, share });
  } catch (error) {
    // The rest of an unread body would be taken for the next request.
    if (!request.complete && hasBody(request)) response.shouldKeepAlive = false;
    sendError(response, error, { management });
  }
}

async function serve(
  context: ServerContext,
  route: Route,
  exchange: { request: IncomingMessage; response: ServerResponse; share: BodyShare },
): Promise<void> {
  const { request, response, share } = exchange;
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
      return sendJson(
        response,
        await repositoryIndex(context, await readBody(request, { limit: SMALL_BODY_LIMIT, share })),
      );
    case "modelLoad":
    case "modelUnload":
      if (route.repository !== undefined)
        throw new NereidError("UNSUPPORTED", "'repository_name' specification is not supported");
      return handleControl(context, route, exchange);
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

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** A version is a number: `01` names version 1. */
function withPlainVersion(route: Route): Route {
  return "version" in route && route.version !== undefined
    ? { ...route, version: String(BigInt(route.version)) }
    : route;
}

function sendProbe(response: ServerResponse, good: boolean): void {
  sendBuffer(response, EMPTY, { status: good ? 200 : 400 });
}
