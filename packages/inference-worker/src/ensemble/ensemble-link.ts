import type { NereidError } from "@nereid/errors";
import type { OutputTensor } from "@nereid/protocol";
import type { FlightStep } from "../flight/flight-record.ts";
import type { InferTicket, StepMoments } from "../models/infer-ticket.ts";
import type { ModelSpec } from "../models/model-spec.ts";
import type { ValidRequest } from "../request/valid-request.ts";
import type { EnsembleGraph } from "./ensemble-graph.ts";

/** The model of one step, held for as long as the request runs. */
export interface StepLink {
  readonly spec: ModelSpec;
  submit(request: ValidRequest): InferTicket;
}

/** Times and bytes of all steps together; nanoseconds. */
export interface EnsembleOutcome {
  readonly startNs: number;
  readonly queueNs: number;
  readonly inputNs: number;
  readonly inferNs: number;
  readonly outputNs: number;
  readonly copiedBytes: number;
  readonly steps: readonly FlightStep[];
  /** The same since the answer before, with their moments. */
  readonly timings: readonly StepMoments[];
}

/** What one request's run knows of its ensemble, and whom it tells. */
export interface EnsembleLink {
  readonly name: string;
  readonly batching: boolean;
  readonly decoupled: boolean;
  readonly graph: EnsembleGraph;
  readonly answersAt: number;
  /** By step. */
  readonly steps: readonly StepLink[];
  readonly optionalInputs: readonly string[];
  /** `max_inflight_requests`; 0 = unlimited. */
  readonly maxInFlight: number;
  nowNs(): number;
  needed(outputs: readonly string[]): ReadonlySet<number>;
  /** The shape clients see for an output. */
  outputShape(name: string, shape: readonly number[]): readonly number[];
  /** Resolves when the condition holds, or after 300 s. */
  until(condition: () => boolean): Promise<void>;
  /** `release` once nobody looks at the bytes any more. */
  answer(outputs: readonly OutputTensor[], outcome: EnsembleOutcome, release: () => void): void;
  /** Instead of `end`. */
  fail(error: NereidError, outcome: EnsembleOutcome): void;
  /** Exactly once, after the last answer. */
  end(outcome: EnsembleOutcome): void;
}
