import type { InstanceEvent, ModelEvent, RequestFailure, RunnerEvent } from "@nereid/inference-worker";
import type { AccessEntry } from "./access-log.ts";
import type { LogLevel, ModelLogs } from "./model-logs.ts";

/** ONNX Runtime, Python and Node.js all name the level of a line somewhere near its beginning. */
const LEVELS: readonly (readonly [RegExp, LogLevel])[] = [
  [/\[[EF]:|\b(?:error|fatal|critical|traceback|exception)\b/i, "error"],
  [/\[W:|\bwarn(?:ing)?\b/i, "warn"],
  [/\bdebug\b/i, "debug"],
];
const BEGINNING = 120;

/** What a runner printed; `runner` is `model/version`. */
export function logRunnerLine(logs: ModelLogs, line: string, runner: string): void {
  const slash = runner.lastIndexOf("/");
  const begin = line.slice(0, BEGINNING);
  logs.add({
    source: "runner",
    level: LEVELS.find(([pattern]) => pattern.test(begin))?.[1] ?? "info",
    model: slash === -1 ? runner : runner.slice(0, slash),
    version: slash === -1 ? "" : runner.slice(slash + 1),
    text: line,
  });
}

const SAID: ReadonlyMap<string, LogLevel> = new Map([
  ["ERROR", "error"],
  ["WARNING", "warn"],
  ["INFO", "info"],
]);

/** What a model said through its own log functions. */
export function logModelSays(
  logs: ModelLogs,
  said: { readonly runner: string; readonly instance: number; readonly level: string; readonly text: string },
): void {
  const level = SAID.get(said.level) ?? "debug";
  const slash = said.runner.lastIndexOf("/");
  logs.add({
    source: "runner",
    level,
    model: slash === -1 ? said.runner : said.runner.slice(0, slash),
    version: slash === -1 ? "" : said.runner.slice(slash + 1),
    instance: said.instance < 0 ? "" : String(said.instance),
    text: said.text,
  });
}

export function logModelEvent(logs: ModelLogs, event: ModelEvent): void {
  const [level, text] = wordsOf(event);
  const version = event.kind === "stage" ? event.version : "";
  logs.add({ source: "model", level, model: event.model, version, text });
}

function wordsOf(event: ModelEvent): readonly [LogLevel, string] {
  switch (event.kind) {
    case "load-started":
      return ["info", "load started"];
    case "stage":
      return ["debug", `load: ${event.stage}`];
    case "load-finished": {
      const served = event.versions.join(", ") || "none";
      return ["info", `loaded in ${event.seconds.toFixed(2)} s; versions that serve: ${served}`];
    }
    case "load-failed":
      return ["error", `load failed: ${event.reason}`];
    case "load-cancelled":
      return ["warn", "load cancelled"];
    case "unloaded":
      return ["info", "unloaded"];
    case "evicted":
      return ["warn", `unloaded to make room: ${event.reason}`];
    case "traffic-changed":
      return ["info", "traffic between versions changed"];
  }
}

export function logRunnerEvent(
  logs: ModelLogs,
  subject: { readonly model: string; readonly version: string },
  event: RunnerEvent,
): void {
  const line = { source: "model" as const, ...subject };
  if (event.kind === "ended") logs.add({ ...line, level: "error", text: `the runner process ended: ${event.reason}` });
  else if (event.kind === "restarted")
    logs.add({ ...line, level: "warn", text: `the runner process was restarted (restart ${event.restarts})` });
  else
    logs.add({
      ...line,
      level: "error",
      text: `the runner process could not be restarted, next attempt in ${(event.nextMs / 1000).toFixed(1)} s: ${event.reason}`,
    });
}

const INSTANCE_WORDS = {
  "instance-drained": "was drained",
  "instance-resumed": "serves again",
  "instance-restarted": "was restarted",
  "instance-restart-failed": "could not be restarted",
} as const;

/** What an operator did to one instance. */
export function logInstanceEvent(
  logs: ModelLogs,
  subject: { readonly model: string; readonly version: string },
  { kind, instance, reason }: InstanceEvent,
): void {
  logs.add({
    source: "model",
    ...subject,
    instance,
    level: kind === "instance-restart-failed" ? "error" : "info",
    text: `the instance ${INSTANCE_WORDS[kind]}${reason === "" ? "" : `: ${reason}`}`,
  });
}

/** A request that was refused or failed, in the words its client got. */
export function logFailure(logs: ModelLogs, { model, version, requestId, instance, error }: RequestFailure): void {
  logs.add({
    source: "request",
    level: error.code === "INTERNAL" ? "error" : "warn",
    model,
    version,
    requestId,
    ...(instance !== undefined && { instance }),
    text: `${error.code}: ${error.message}`,
  });
}

/** An access line that names a model. */
export function logAccess(logs: ModelLogs, entry: AccessEntry): void {
  const { model, version = "", requestId = "", operation, status, durationMs } = entry;
  if (model === undefined) return;
  logs.add({
    source: "access",
    level: "info",
    model,
    version,
    requestId,
    text: `${entry.protocol} ${operation} → ${status} in ${durationMs.toFixed(1)} ms`,
  });
}
