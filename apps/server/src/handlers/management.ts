import type { IncomingMessage, ServerResponse } from "node:http";
import { NereidError } from "@nereid/errors";
import { type ModelEntry, sortedVersions, type VersionEntry } from "@nereid/inference-worker";
import { schedulerKind } from "@nereid/model-config";
import type { SecondBucket } from "@nereid/telemetry";
import { isDraftPath } from "../drafts/handle-drafts.ts";
import type { BodyShare } from "../http/body-budget.ts";
import { sendBuffer, sendJson } from "../http/http-error.ts";
import { readDraining } from "../process/draining.ts";
import type { ServerContext } from "../server-context.ts";
import { listCandidates, removeCandidate } from "./candidates.ts";
import { handleControl } from "./control.ts";
import { answerEvents } from "./events.ts";
import { findFlights } from "./flights.ts";
import { answerLogs } from "./logs.ts";
import { handleModelRoute } from "./model-routes.ts";
import { trafficStatus } from "./traffic.ts";

const SLOW_READER_BYTES = 1 << 20;
const EMPTY = Buffer.alloc(0);

/** `/nereid/v1/…`: what Triton's own API does not tell. Types: packages/client/src/management-types.ts. */
export async function handleManagement(
  context: ServerContext,
  url: URL,
  exchange: { request: IncomingMessage; response: ServerResponse; share: BodyShare },
): Promise<void> {
  const { request, response } = exchange;
  if (isDraftPath(url.pathname)) return context.drafts.handle(url, exchange);
  const path = url.pathname.slice("/nereid/v1".length);
  const control = /^\/models\/([^/]+)\/(load|unload)$/.exec(path);
  if (control !== null) {
    if (request.method !== "POST") throw new NereidError("METHOD_NOT_ALLOWED", "Method Not Allowed");
    const [, name = "", action] = control;
    const kind = action === "load" ? "modelLoad" : "modelUnload";
    return handleControl(context, { kind, model: decodeName(name) }, exchange);
  }
  const model = /^\/models\/([^/]+)(.*)$/.exec(path);
  if (model !== null) {
    const [, name = "", rest = ""] = model;
    if (await handleModelRoute(context, { name: decodeName(name), path: rest }, exchange)) return;
  }
  if (path === "/server/draining" && request.method === "PUT") {
    context.draining.set(await readDraining(exchange));
    return sendJson(response, JSON.stringify(serverStatus(context)));
  }
  const candidate = /^\/candidates\/([^/]+)$/.exec(path)?.[1];
  if (candidate !== undefined) {
    if (request.method !== "DELETE") throw new NereidError("METHOD_NOT_ALLOWED", "Method Not Allowed");
    await removeCandidate(context, decodeName(candidate));
    return sendBuffer(response, EMPTY, { status: 204 });
  }
  if (request.method !== "GET") throw new NereidError("METHOD_NOT_ALLOWED", "Method Not Allowed");
  if (path === "/server") return sendJson(response, JSON.stringify(serverStatus(context)));
  if (path === "/models") return sendJson(response, JSON.stringify(await allModels(context)));
  if (path === "/candidates") return sendJson(response, JSON.stringify(listCandidates(context)));
  if (path === "/runner-events") return sendJson(response, JSON.stringify(context.runnerEvents.rows));
  if (path === "/events") return answerEvents(context, url, exchange);
  if (path === "/requests") return sendJson(response, JSON.stringify(findFlights(context, url.searchParams)));
  if (path === "/logs") return answerLogs(context, url, exchange);
  if (path === "/buckets") return streamBuckets(context, url, response);
  const name = /^\/models\/([^/]+)$/.exec(path)?.[1];
  if (name === undefined) throw new NereidError("NOT_FOUND", "Not Found");
  const decoded = decodeName(name);
  const status = (await allModels(context)).find((candidate) => candidate.name === decoded);
  if (status === undefined) throw new NereidError("NOT_FOUND", `Request for unknown model: '${decoded}' is not found`);
  sendJson(response, JSON.stringify(status));
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new NereidError("INVALID_ARGUMENT", `'${text}' is not a percent-encoded model name`);
  }
}

function serverStatus(context: ServerContext) {
  const { options, ports } = context;
  return {
    name: options.id,
    version: context.version,
    ready: context.phase === "ready",
    controlMode: options.controlMode,
    repositories: options.modelRepositories,
    startedAtMs: context.startedAtMs,
    pid: process.pid,
    rssBytes: process.memoryUsage.rss(),
    cores: context.cores,
    httpPort: ports.http,
    grpcPort: ports.grpc,
    metricsPort: ports.metrics,
    draining: context.draining.active,
  };
}

async function allModels(context: ServerContext) {
  const onDisk = new Set((await context.repository.list()).map(({ name }) => name));
  const names = new Set([...onDisk, ...context.manager.entries.map(({ name }) => name)]);
  return [...names].sort().map((name) => ({
    ...modelStatus(name, onDisk.has(name), context.manager.entry(name)),
    traffic: trafficStatus(context, name),
    loading: context.manager.loadsOf(name),
  }));
}

function modelStatus(name: string, inRepository: boolean, entry: ModelEntry | undefined) {
  const { config } = entry ?? {};
  return {
    name,
    inRepository,
    platform: config?.platform ?? "",
    backend: config?.backend ?? "",
    maxBatchSize: config?.maxBatchSize ?? 0,
    scheduler: config === undefined ? "unknown" : schedulerKind(config),
    versions: entry === undefined ? [] : sortedVersions(entry).map(versionStatus),
    warnings: entry?.warnings ?? [],
    pinned: entry?.pinned ?? null,
    wantedBy: entry?.wantedBy ?? "nobody",
    candidateOf: entry?.candidateOf ?? null,
    lastLoadError: entry?.lastLoadError ?? "",
  };
}

function versionStatus({ version, state, reason, served }: VersionEntry) {
  const pid = served?.pid;
  return {
    version,
    state,
    reason: served !== undefined && state === "READY" ? served.reason : reason,
    ready: state === "READY" && served?.ready === true,
    pending: served?.statistics.pending ?? 0,
    instances: (served?.instanceStates ?? []).map(({ busyNs, ...instance }) => ({
      ...instance,
      busy: instance.inFlight > 0,
      busySeconds: busyNs / 1e9,
    })),
    queued: served?.queued ?? 0,
    ...(served?.placement !== undefined && { placement: served.placement }),
    ...(served !== undefined && {
      runner: { pid: pid ?? 0, restarts: served.restarts, memory: served.measureMemory() },
    }),
    ...(served?.statistics.loadSeconds !== undefined && { loadSeconds: served.statistics.loadSeconds }),
  };
}

/** Server-sent events, one per second: first what is remembered after `after`, then live. A reader that lags is dropped. */
function streamBuckets(context: ServerContext, url: URL, response: ServerResponse): void {
  const after = url.searchParams.get("after");
  if (after !== null && !/^\d{1,12}$/.test(after))
    throw new NereidError("INVALID_ARGUMENT", `'after' must be Unix seconds, got '${after}'`);
  const model = url.searchParams.get("model");
  response.writeHead(200, ["Content-Type", "text/event-stream", "Cache-Control", "no-store"]);
  const send = (bucket: SecondBucket) => {
    const series = model === null ? bucket.series : bucket.series.filter((row) => row.model === model);
    response.write(`id: ${bucket.t}\ndata: ${JSON.stringify({ ...bucket, series })}\n\n`);
    if (response.writableLength > SLOW_READER_BYTES) response.destroy();
  };
  response.write(":\n\n");
  for (const bucket of context.buckets.after(after === null ? undefined : Number(after))) send(bucket);
  const unsubscribe = context.buckets.subscribe(send);
  response.once("close", unsubscribe);
}
