import type { Clock, ModelManager } from "@nereid/inference-worker";
import type { LocalRepository } from "@nereid/model-repository";
import type { SecondBuckets } from "@nereid/telemetry";
import type { BodyBudget } from "./http/body-budget.ts";
import type { ServerOptions } from "./options/server-options.ts";
import type { DesiredState } from "./state/desired-state.ts";

/** Where the server is in its life; health probes and admission look at it. */
export type ServerPhase = "starting" | "ready" | "exiting";

/** What the request handlers work with. */
export interface ServerContext {
  readonly options: ServerOptions;
  readonly manager: ModelManager;
  readonly repository: LocalRepository;
  readonly buckets: SecondBuckets;
  readonly desired: DesiredState;
  readonly bodies: BodyBudget;
  readonly clock: Clock;
  readonly version: string;
  readonly startedAtMs: number;
  readonly cores: number;
  /** Ports the listeners really have, once they listen. */
  readonly ports: { http: number; metrics: number };
  phase: ServerPhase;
}
