import type { IncomingMessage, ServerResponse } from "node:http";
import { NereidError } from "@nereid/errors";
import { matchRoute, type RestrictedCategory, type Route } from "@nereid/protocol";
import { handleControl, SMALL_BODY_LIMIT } from "../handlers/control.ts";
import type { Exchange } from "../handlers/exchange.ts";
import { handleGenerate } from "../handlers/generate.ts";
import { modelReady, serverLive, serverReady } from "../handlers/health.ts";
import { handleInfer } from "../handlers/infer.ts";
import { handleLogging } from "../handlers/logging.ts";
import { handleManagement } from "../handlers/management.ts";
import { modelConfig, modelMetadata, modelStatistics, serverMetadata } from "../handlers/metadata.ts";
import { repositoryIndex } from "../handlers/repository.ts";
import { handleSharedMemory } from "../handlers/shared-memory.ts";
import { handleTraceSettings } from "../handlers/trace-settings.ts";
import { HttpWatch } from "../logging/http-watch.ts";
import { handleOpenai, isOpenai } from "../openai/handle-openai.ts";
import { sendOpenaiError } from "../openai/openai-error.ts";
import type { ServerContext } from "../server-context.ts";
import { checkManagementKey, checkRestricted } from "./authorize.ts";
import { guardBrowser } from "./browser-guard.ts";
import { sendBuffer, sendError, sendJson } from "./http-error.ts";
import { readBody } from "./read-body.ts";

const EMPTY = Buffer.alloc(0);
const MANAGEMENT = "/nereid/v1/";
const HIGHEST_VERSION = 2n ** 63n - 1n;

/** One HTTP exchange of the V2 port, from the request line to the answer. Never throws. */
export async function handleRequest(
  context: ServerContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = request.url ?? "/";
  const management = target.startsWith(MANAGEMENT);
  const openai = isOpenai(context, target);
  const share = context.bodies.open();
  response.once("close", share.close);
  const watch = new HttpWatch(context, { request, response });
  if (management) watch.operation = "management";
  try {
    if (context.options.managementKey === undefined) guardBrowser(request.headers, context.options.allowedHosts);
    if (management) {
      checkManagementKey(request.headers, context.options.managementKey);
      // A restriction of the same calls by Triton's routes must not be open by ours; the key is the stronger of the two.
      const url = new URL(target, "http://localhost");
      if (context.options.managementKey === undefined)
        checkRestricted(request.headers, managementCategory(url.pathname), context.options.restrictedApis);
      await handleManagement(context, url, { request, response, share });
      return;
    }
    if (openai) return await handleOpenai(context, target, { request, response, share, watch });
    const route = matchRoute(target);
    if (route === undefined) throw new NereidError("NOT_FOUND", "Not Found");
    watch.route(route);
    checkRestricted(request.headers, route.category, context.options.restrictedApis);
    if (route.methods.every((method) => method !== request.method))
      throw new NereidError("METHOD_NOT_ALLOWED", "Method Not Allowed");
    await serve(context, withPlainVersion(route), { request, response, share, watch });
  } catch (error) {
    // The rest of an unread body would be taken for the next request.
    if (!request.complete && hasBody(request)) response.shouldKeepAlive = false;
    if (openai) sendOpenaiError(response, error);
    else sendError(response, error, { management });
  }
}

async function serve(context: ServerContext, route: Route, exchange: Exchange): Promise<void> {
  const { request, response, share } = exchange;
  switch (route.kind) {
    case "modelInfer":
      return handleInfer(context, route, exchange);
    case "serverLive":
      return sendProbe(response, serverLive(context));
    case "serverReady":
      return sendProbe(response, serverReady(context));
    case "modelReady":
      if (await modelReady(context, route.model, route.version)) return sendProbe(response, true);
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
      return handleSharedMemory(context, route, exchange);
    case "modelGenerate":
    case "modelGenerateStream":
      return handleGenerate(context, { ...route, stream: route.kind === "modelGenerateStream" }, exchange);
    case "logging":
      return handleLogging(context, exchange);
    case "globalTrace":
      return handleTraceSettings(context, undefined, exchange);
    case "modelTrace":
      return handleTraceSettings(context, route.model, exchange);
  }
}

/** The category of Triton's that a management route does the work of. */
function managementCategory(path: string): RestrictedCategory {
  if (/\/config(?:\/check)?$/.test(path)) return "model-config";
  return /^\/nereid\/v1\/(?:buckets|runner-events)$/.test(path) ? "statistics" : "model-repository";
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** A version is a number: `01` names version 1. INVALID_ARGUMENT beyond the numbers a version can have. */
function withPlainVersion(route: Route): Route {
  if (!("version" in route) || route.version === undefined) return route;
  const version = BigInt(route.version);
  if (version > HIGHEST_VERSION) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `failed to get model version from specified version string '${route.version}' (details: out of range), version should be an integral value > 0`,
    );
  }
  return { ...route, version: String(version) };
}

function sendProbe(response: ServerResponse, good: boolean): void {
  sendBuffer(response, EMPTY, { status: good ? 200 : 400 });
}
