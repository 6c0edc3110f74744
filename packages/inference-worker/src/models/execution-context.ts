import type { ModelStatistics } from "@nereid/telemetry";
import type { FlightRecorder } from "../flight/flight-recorder.ts";
import type { Clock } from "../time/clock.ts";
import type { ArenaHint } from "./lay-out.ts";
import type { ModelSpec } from "./model-spec.ts";

/** What executions of one model version share. */
export interface ExecutionContext {
  readonly spec: ModelSpec;
  readonly clock: Clock;
  readonly statistics: ModelStatistics;
  readonly flights: FlightRecorder | undefined;
  readonly hint: ArenaHint;
}
