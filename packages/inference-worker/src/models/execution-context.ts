import type { NereidError } from "@nereid/errors";
import type { ModelStatistics } from "@nereid/telemetry";
import type { VersionFacts } from "../facts/version-facts.ts";
import type { FlightRecorder } from "../flight/flight-recorder.ts";
import type { Clock } from "../time/clock.ts";
import type { ArenaHint } from "./lay-out.ts";
import type { ModelSpec } from "./model-spec.ts";

/** A request that was refused or failed, for the log. */
export interface RequestFailure {
  readonly model: string;
  readonly version: string;
  /** The client's id; empty when it gave none. */
  readonly requestId: string;
  /** Where it was executed; undefined when it was not. */
  readonly instance: string | undefined;
  readonly error: NereidError;
}

/** What executions of one model version share. */
export interface ExecutionContext {
  readonly spec: ModelSpec;
  readonly clock: Clock;
  readonly statistics: ModelStatistics;
  readonly flights: FlightRecorder | undefined;
  readonly facts: VersionFacts;
  readonly onFailed: ((failure: RequestFailure) => void) | undefined;
  readonly hint: ArenaHint;
}
