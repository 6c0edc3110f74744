import type { ModelStatus } from "@nereid/client";
import type { NodeConnection } from "../metrics/connection.ts";

export interface Health {
  readonly state: "good" | "degraded" | "bad" | "unknown";
  /** One sentence that says what is wrong, the worst first. */
  readonly sentence: string;
}

export interface HealthFacts {
  readonly connection: NodeConnection;
  /** Null when the server did not answer. */
  readonly models: readonly ModelStatus[] | null;
  /** Share of the requests of the window that failed, 0…1; null without requests. */
  readonly errorShare: number | null;
  /** Titles of the open alerts, pages first. */
  readonly alerts?: readonly string[];
}

const BAD_ERROR_SHARE = 0.05;
const DEGRADED_ERROR_SHARE = 0.005;

/** How the installation does. The order of the checks is the order of importance. */
export function healthOf({ connection, models, errorShare, alerts = [] }: HealthFacts): Health {
  if (models === null || connection.state === "down") return bad("The inference server does not answer.");
  if (connection.state === "connecting")
    return { state: "unknown", sentence: "Waiting for the first figures of the server." };
  const failed = models.filter(isFailed).map(({ name }) => name);
  const percent = `${((errorShare ?? 0) * 100).toFixed(1)} % of the requests failed`;
  if (errorShare !== null && errorShare >= BAD_ERROR_SHARE) return bad(`${percent}${also(failed)}.`);
  if (failed.length > 0) return { state: "degraded", sentence: `${names(failed)} could not be loaded.` };
  if (errorShare !== null && errorShare >= DEGRADED_ERROR_SHARE) return { state: "degraded", sentence: `${percent}.` };
  const [alert, ...others] = alerts;
  if (alert !== undefined) {
    const more = others.length === 0 ? "" : ` And ${others.length} more ${others.length === 1 ? "alert" : "alerts"}.`;
    return { state: "degraded", sentence: `${alert}.${more}` };
  }
  const silent = models.filter((model) => isServed(model) && !isReady(model)).map(({ name }) => name);
  if (silent.length > 0) return { state: "degraded", sentence: `${names(silent)} is not ready.` };
  const ready = models.filter(isReady).length;
  if (ready === 0) return { state: "unknown", sentence: "No model is loaded." };
  return { state: "good", sentence: `All is well: ${count(ready)} ready.` };
}

/** Numbers of models by what they do. A model with a served version counts as ready while another one loads. */
export function countModels(models: readonly ModelStatus[]): {
  total: number;
  ready: number;
  loading: number;
  failed: number;
} {
  return {
    total: models.length,
    ready: models.filter(isReady).length,
    loading: models.filter((model) => !isReady(model) && model.versions.some(({ state }) => state === "LOADING"))
      .length,
    failed: models.filter(isFailed).length,
  };
}

function isReady(model: ModelStatus): boolean {
  return model.versions.some(({ ready }) => ready);
}

function isServed(model: ModelStatus): boolean {
  return model.versions.some(({ state }) => state === "READY");
}

function isFailed(model: ModelStatus): boolean {
  return model.lastLoadError !== "";
}

function bad(sentence: string): Health {
  return { state: "bad", sentence };
}

function also(failed: readonly string[]): string {
  return failed.length === 0 ? "" : `, and ${names(failed)} could not be loaded`;
}

function names(all: readonly string[]): string {
  return all.length > 2 ? `${all.length} models` : all.map((name) => `'${name}'`).join(" and ");
}

function count(models: number): string {
  return models === 1 ? "1 model" : `${models} models`;
}
