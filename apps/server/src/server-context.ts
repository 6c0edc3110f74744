import type {
  Candidates,
  Clock,
  FlightRecorder,
  LoaderContext,
  ModelManager,
  OnDemand,
  PlanContext,
} from "@nereid/inference-worker";
import type { KeyedTurns, LocalRepository } from "@nereid/model-repository";
import type { CustomMetrics, SecondBuckets } from "@nereid/telemetry";
import type { Drafts } from "./drafts/create-drafts.ts";
import type { BodyBudget } from "./http/body-budget.ts";
import type { AccessLog } from "./logging/access-log.ts";
import type { LogSettings } from "./logging/log-settings.ts";
import type { ModelLogs } from "./logging/model-logs.ts";
import type { NodeSensor } from "./metrics/node-sensor.ts";
import type { ServerTraffic } from "./metrics/server-traffic.ts";
import type { ServerOptions } from "./options/server-options.ts";
import type { Draining } from "./process/draining.ts";
import type { Profiles } from "./profiling/profile-model.ts";
import type { Shadows } from "./shadow/shadows.ts";
import type { SharedMemory } from "./shared-memory/shared-memory.ts";
import type { DesiredState } from "./state/desired-state.ts";
import type { EventLog } from "./state/event-log.ts";
import type { LoadLedger } from "./state/load-ledger.ts";
import type { RunnerEvents } from "./state/runner-events.ts";
import type { TraceSettings } from "./tracing/trace-settings.ts";
import type { Tracer } from "./tracing/tracer.ts";

/** Where the server is in its life; health probes and admission look at it. */
export type ServerPhase = "starting" | "ready" | "exiting";

/** What the request handlers work with. */
export interface ServerContext {
  readonly options: ServerOptions;
  readonly manager: ModelManager;
  readonly candidates: Candidates;
  readonly shadows: Shadows;
  /** What the manager plans and loads with; previews and trials use the same. */
  readonly plan: PlanContext;
  readonly loader: LoaderContext;
  readonly repository: LocalRepository;
  readonly buckets: SecondBuckets;
  readonly desired: DesiredState;
  /** Changes of one model, by its name. */
  readonly turns: KeyedTurns;
  readonly runnerEvents: RunnerEvents;
  readonly events: EventLog;
  /** Lines about models. */
  readonly logs: ModelLogs;
  /** Memory of the loads since the start. */
  readonly loads: LoadLedger;
  /** What the machine and the server's processes do. */
  readonly node: NodeSensor;
  /** Only with `--load-on-demand`. */
  readonly onDemand: OnDemand | undefined;
  readonly flights: FlightRecorder;
  /** Of the models' own. */
  readonly customMetrics: CustomMetrics;
  readonly drafts: Drafts;
  readonly profiles: Profiles;
  readonly bodies: BodyBudget;
  readonly sharedMemory: SharedMemory;
  readonly traceSettings: TraceSettings;
  readonly tracer: Tracer;
  readonly logSettings: LogSettings;
  readonly traffic: ServerTraffic;
  /** Only where every request is to be logged. */
  readonly accessLog: AccessLog | undefined;
  readonly clock: Clock;
  readonly version: string;
  readonly startedAtMs: number;
  readonly cores: number;
  /** Ports the listeners really have, once they listen. */
  readonly ports: { http: number; grpc: number; metrics: number };
  readonly draining: Draining;
  phase: ServerPhase;
}
