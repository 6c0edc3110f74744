import { sortedVersions } from "@nereid/inference-worker";
import type { PrometheusWriter } from "@nereid/telemetry";
import type { ServerContext } from "../server-context.ts";

/** What waits and what executes, by model and instance; the rate limiter and the response cache where there are any. */
export function renderScheduling(writer: PrometheusWriter, context: ServerContext): void {
  renderInstances(writer, context);
  renderRateLimiter(writer, context);
  renderCache(writer, context);
}

function renderInstances(writer: PrometheusWriter, { manager }: ServerContext): void {
  const queued = writer.family("nereid_queue_requests", "gauge", "Requests that wait in the queue of a model version");
  const busy = writer.family(
    "nereid_instance_busy_seconds_total",
    "counter",
    "Time an instance has been executing since it was started, in seconds",
  );
  const inFlight = writer.family(
    "nereid_instance_in_flight",
    "gauge",
    "Batches an instance has now: 0, 1, or 2 with one that waits behind the other",
  );
  for (const entry of manager.entries) {
    for (const { served } of sortedVersions(entry)) {
      if (served === undefined) continue;
      const labels = { model: entry.name, version: served.spec.version };
      queued.sample(labels, served.queued);
      for (const state of served.instanceStates) {
        const own = { ...labels, instance: state.name };
        busy.sample(own, state.busyNs / 1e9);
        inFlight.sample(own, state.inFlight);
      }
    }
  }
}

function renderRateLimiter(writer: PrometheusWriter, { loader }: ServerContext): void {
  const { rateLimiter } = loader.shared;
  if (rateLimiter === undefined) return;
  const used = writer.family(
    "nereid_rate_limiter_resource_used",
    "gauge",
    "How much of a resource the executing instances hold",
  );
  const limit = writer.family("nereid_rate_limiter_resource_limit", "gauge", "How much there is of a resource");
  for (const { name, device, used: held, total } of rateLimiter.resources) {
    const labels = { device: device === undefined ? "global" : String(device), resource: name };
    used.sample(labels, held);
    limit.sample(labels, total);
  }
}

function renderCache(writer: PrometheusWriter, { loader }: ServerContext): void {
  const use = loader.shared.cache?.use;
  if (use === undefined) return;
  const one = (name: string, type: "gauge" | "counter", help: string, value: number) =>
    writer.family(name, type, help).sample({}, value);
  if (use.service !== undefined) {
    const { connected, failures } = use.service;
    one(
      "nereid_cache_connected",
      "gauge",
      "1 while the shared response cache is connected, 0 while it is not",
      connected ? 1 : 0,
    );
    one(
      "nereid_cache_failures_total",
      "counter",
      "Calls of the shared response cache that failed or took too long",
      failures,
    );
    return;
  }
  one("nereid_cache_entries", "gauge", "Responses in the response cache", use.entries);
  one("nereid_cache_bytes", "gauge", "Memory the response cache takes, in bytes", use.usedBytes);
  one("nereid_cache_limit_bytes", "gauge", "Memory the response cache may take, in bytes", use.limitBytes);
  one("nereid_cache_evictions_total", "counter", "Responses that made room for newer ones", use.evictions);
}
