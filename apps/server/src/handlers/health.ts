import { NereidError } from "@nereid/errors";
import { allReady } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";

/** Whether the process can serve at all. UNAVAILABLE while it exits. */
export function serverLive(context: ServerContext): boolean {
  refuseWhenExiting(context);
  return true;
}

/** Strict readiness (default): every model that was asked for answers, and nobody drains the server. UNAVAILABLE while it exits. */
export function serverReady(context: ServerContext): boolean {
  refuseWhenExiting(context);
  if (context.phase !== "ready" || context.draining.active) return false;
  return !context.options.strictReadiness || allReady(context.manager.entries);
}

/** Whether one model answers: READY, its runner alive, and nothing else said by itself. NOT_FOUND for an unknown one. */
export async function modelReady(context: ServerContext, name: string, version: string | undefined): Promise<boolean> {
  refuseWhenNotReady(context);
  const entry = context.manager.entry(name);
  if (entry === undefined || entry.versions.size === 0)
    throw new NereidError("NOT_FOUND", `Request for unknown model: '${name}' is not found`);
  if (version !== undefined && !entry.versions.has(version)) {
    throw new NereidError("NOT_FOUND", `Request for unknown model: '${name}' version ${version} is not found`);
  }
  try {
    return await context.manager.resolve(name, version).checkReady();
  } catch {
    return false;
  }
}

/** Metadata, configuration, index and control calls are refused while the server exits. */
export function refuseWhenNotReady(context: ServerContext): void {
  if (context.phase === "exiting") throw new NereidError("UNAVAILABLE", "Server not ready");
}

function refuseWhenExiting(context: ServerContext): void {
  if (context.phase === "exiting") throw new NereidError("UNAVAILABLE", "Server exiting");
}
