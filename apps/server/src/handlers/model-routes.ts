import type { IncomingMessage, ServerResponse } from "node:http";
import { NereidError } from "@nereid/errors";
import { MAX_CONFIG_LENGTH, plainVersion } from "@nereid/model-config";
import { applyConfig, checkConfig, configState } from "../config/change-config.ts";
import type { BodyShare } from "../http/body-budget.ts";
import { sendBuffer, sendJson } from "../http/http-error.ts";
import { readJsonObject, requiredText } from "../http/json-body.ts";
import type { ServerContext } from "../server-context.ts";
import { recentArrivals } from "./arrivals.ts";
import { batchingFacts } from "./batching.ts";
import { addCandidate } from "./candidates.ts";
import { instanceBody, operateInstance } from "./instances.ts";
import { memoryFacts } from "./memory.ts";
import { loadVersion, pinVersions, unloadVersion } from "./pins.ts";
import { inLoadTurn } from "./repository.ts";
import { shadowStatus, startShadow, stopShadow } from "./shadow.ts";
import { shapeFacts } from "./shapes.ts";
import { simulateTraffic } from "./simulation.ts";
import { divideTraffic, parseTraffic, trafficStatus } from "./traffic.ts";
import { listVersionFiles, removeModel, removeVersion, sendArchive } from "./version-files.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly share: BodyShare;
}

interface ModelRoute {
  readonly method: string;
  /** Below `/models/M`; a `:version` is captured. */
  readonly path: RegExp;
  readonly serve: (context: ServerContext, target: Target, exchange: Exchange) => Promise<unknown>;
}

interface Target {
  readonly name: string;
  /** Empty where the path has none. */
  readonly version: string;
  /** Of a profile or an instance; empty where the path has none. */
  readonly id: string;
}

const EMPTY = Buffer.alloc(0);
/** The text may grow sixfold as a JSON string. */
const CONFIG_BODY_LIMIT = 6 * MAX_CONFIG_LENGTH + 4096;

/** As many as the dashboard allows. */
const MOST_PINNED = 100;

/** What an answer of `undefined` means: done, nothing to say. */
const ROUTES: readonly ModelRoute[] = [
  { method: "DELETE", path: /^$/, serve: (context, { name }) => removeModel(context, name) },
  { method: "GET", path: /^\/config$/, serve: (context, { name }) => configState(context, name) },
  {
    method: "POST",
    path: /^\/config\/check$/,
    serve: async (context, { name }, exchange) =>
      checkConfig(context, name, requiredText(await configBody(exchange), "text")),
  },
  {
    method: "PUT",
    path: /^\/config$/,
    serve: async (context, { name }, exchange) => {
      const body = await configBody(exchange);
      return applyConfig(context, name, { text: requiredText(body, "text"), ifDigest: requiredText(body, "ifDigest") });
    },
  },
  { method: "GET", path: /^\/versions$/, serve: (context, { name }) => listVersionFiles(context, name) },
  {
    method: "PUT",
    path: /^\/pin$/,
    serve: async (context, { name }, exchange) => {
      const versions = versionsOf(await readJsonObject(exchange));
      return { warnings: await inLoadTurn(context, name, () => pinVersions(context, name, versions)) };
    },
  },
  ...(["drain", "resume", "restart"] as const).map(
    (action): ModelRoute => ({
      method: "POST",
      path: new RegExp(`^/instances/(?<id>\\d{1,4})/${action}$`),
      serve: async (context, { name, id }, exchange) =>
        operateInstance(context, { name, id, action }, instanceBody(await readJsonObject(exchange))),
    }),
  ),
  {
    method: "GET",
    path: /^\/simulation$/,
    serve: (context, { name }, { request }) =>
      simulateTraffic(context, name, new URL(request.url ?? "", "http://server").searchParams),
  },
  {
    method: "GET",
    path: /^\/arrivals$/,
    serve: async (context, { name }, { request }) =>
      recentArrivals(context, name, new URL(request.url ?? "", "http://server").searchParams),
  },
  { method: "GET", path: /^\/batching$/, serve: async (context, { name }) => batchingFacts(context, name) },
  { method: "GET", path: /^\/shapes$/, serve: async (context, { name }) => shapeFacts(context, name) },
  { method: "GET", path: /^\/memory$/, serve: (context, { name }) => memoryFacts(context, name) },
  {
    method: "GET",
    path: /^\/traffic$/,
    serve: async (context, { name }) => ({ traffic: trafficStatus(context, name) }),
  },
  {
    method: "PUT",
    path: /^\/traffic$/,
    serve: async (context, { name }, exchange) => {
      const traffic = parseTraffic(await readJsonObject(exchange));
      return context.turns.run(name, () => divideTraffic(context, name, traffic));
    },
  },
  { method: "GET", path: /^\/shadow$/, serve: async (context, { name }) => shadowStatus(context, name) },
  {
    method: "PUT",
    path: /^\/shadow$/,
    serve: async (context, { name }, exchange) => startShadow(context, name, await readJsonObject(exchange)),
  },
  { method: "DELETE", path: /^\/shadow$/, serve: async (context, { name }) => stopShadow(context, name) },
  {
    method: "POST",
    path: /^\/candidates$/,
    serve: async (context, { name }, exchange) => addCandidate(context, name, await configBody(exchange)),
  },
  {
    method: "POST",
    path: /^\/profile$/,
    serve: async (context, { name }, exchange) => {
      const target = { model: name, ...profileOf(await readJsonObject(exchange)) };
      const gone = new AbortController();
      exchange.response.once("close", () => gone.abort());
      return context.turns.run(name, () => context.profiles.take(context, target, gone.signal));
    },
  },
  {
    method: "GET",
    path: /^\/profiles\/(?<id>[0-9a-f-]{36})\/trace$/,
    serve: async (context, { name, id }, { response }) =>
      sendBuffer(response, await context.profiles.trace(name, id), {
        status: 200,
        headers: { "Content-Type": "application/json" },
      }),
  },
  // Not in the model's turn, which the load has.
  { method: "POST", path: /^\/load\/cancel$/, serve: async (context, { name }) => cancelLoad(context, name) },
  {
    method: "POST",
    path: /^\/versions\/(?<version>[^/]+)\/load$/,
    serve: async (context, { name, version }) => ({
      warnings: await inLoadTurn(context, name, () => loadVersion(context, name, version)),
    }),
  },
  {
    method: "POST",
    path: /^\/versions\/(?<version>[^/]+)\/unload$/,
    serve: (context, { name, version }) => inTurn(context, name, () => unloadVersion(context, name, version)),
  },
  {
    method: "DELETE",
    path: /^\/versions\/(?<version>[^/]+)$/,
    serve: (context, { name, version }) => removeVersion(context, name, version),
  },
  {
    method: "GET",
    path: /^\/versions\/(?<version>[^/]+)\/archive$/,
    serve: (context, target, { response }) => sendArchive(context, target, response),
  },
];

/** Serves a route below `/models/M`; false when there is none with this path. METHOD_NOT_ALLOWED for a known path. */
export async function handleModelRoute(
  context: ServerContext,
  target: { readonly name: string; readonly path: string },
  exchange: Exchange,
): Promise<boolean> {
  const matching = ROUTES.filter(({ path }) => path.test(target.path));
  if (matching.length === 0) return false;
  const route = matching.find(({ method }) => method === exchange.request.method);
  if (route === undefined) {
    // The bare path is served elsewhere for reading.
    if (target.path === "") return false;
    throw new NereidError("METHOD_NOT_ALLOWED", "Method Not Allowed");
  }
  const { version, id = "" } = route.path.exec(target.path)?.groups ?? {};
  const answer = await route.serve(context, { name: target.name, version: versionIn(version), id }, exchange);
  if (exchange.response.headersSent) return true;
  if (answer === undefined) sendBuffer(exchange.response, EMPTY, { status: 204 });
  else sendJson(exchange.response, JSON.stringify(answer));
  return true;
}

const LONGEST_PROFILE_SECS = 60;
const PROFILE_SECS = 5;

function profileOf({ seconds = PROFILE_SECS, version }: Readonly<Record<string, unknown>>) {
  if (typeof seconds !== "number" || !(seconds > 0 && seconds <= LONGEST_PROFILE_SECS))
    throw new NereidError("INVALID_ARGUMENT", `'seconds' must be a number up to ${LONGEST_PROFILE_SECS}`);
  if (version !== undefined && typeof version !== "string")
    throw new NereidError("INVALID_ARGUMENT", "'version' must be a string");
  return { seconds, version: version === undefined ? undefined : versionIn(version) };
}

function cancelLoad({ manager }: ServerContext, name: string): { readonly cancelled: number } {
  const cancelled = manager.cancelLoads(name);
  if (cancelled === 0) throw new NereidError("CONFLICT", `no load of model '${name}' is in progress`);
  return { cancelled };
}

function configBody({ request, share }: Exchange) {
  return readJsonObject({ request, share, limit: CONFIG_BODY_LIMIT });
}

/** A version is a number: `01` names version 1. */
function versionIn(text: string | undefined): string {
  if (text === undefined) return "";
  const version = plainVersion(text);
  if (version === undefined) {
    throw new NereidError("INVALID_ARGUMENT", `'${text.slice(0, 50)}' is not a version`, {
      fix: "versions are whole numbers",
    });
  }
  return version;
}

function versionsOf(body: Readonly<Record<string, unknown>>): readonly string[] | null {
  const { versions } = body;
  if (versions === null) return null;
  if (!Array.isArray(versions)) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      "'versions' must be an array of versions, or null for the version policy",
    );
  }
  if (versions.length > MOST_PINNED)
    throw new NereidError("INVALID_ARGUMENT", `at most ${MOST_PINNED} versions can be chosen, not ${versions.length}`);
  return [...new Set(versions.map((version: unknown) => versionIn(String(version))))];
}

async function inTurn<T>(context: ServerContext, name: string, change: () => Promise<T>): Promise<{ warnings: T }> {
  return { warnings: await context.turns.run(name, change) };
}
