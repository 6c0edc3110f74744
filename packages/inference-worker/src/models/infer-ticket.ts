import type { InferResponse } from "@nereid/protocol";
import type { FlightRecord } from "../flight/flight-record.ts";

/** When a request went through its phases, by the executor's clock, in nanoseconds. */
export interface ExecutionMoments {
  readonly queueStartNs: number;
  readonly computeStartNs: number;
  readonly inputEndNs: number;
  readonly outputStartNs: number;
  readonly endNs: number;
}

/** One step of an ensemble, for traces. */
export interface StepMoments {
  readonly model: string;
  readonly version: string;
  readonly moments: ExecutionMoments;
}

/** An answer whose tensors may lie in shared memory: call `release` once its bytes are sent or no longer wanted. */
export interface InferAnswer {
  readonly response: InferResponse;
  readonly moments: ExecutionMoments;
  /** Says only that the request is over: a decoupled model ended it without a further response. */
  readonly empty?: boolean;
  /** Present when more answers follow this one; resolves with the next. Only decoupled models have any. */
  readonly next?: () => Promise<InferAnswer>;
  /** Of an ensemble: the steps since the answer before. */
  readonly steps?: readonly StepMoments[];
  /** Bytes of inputs copied into shared memory for the batch this was in. */
  readonly copiedBytes?: number;
  /** Where the request is remembered: the front end adds what it measures. */
  readonly flight?: FlightRecord;
  release(): void;
}

export interface InferTicket {
  /** The first answer, which for all but decoupled models is the only one. */
  readonly answer: Promise<InferAnswer>;
  /** The client has gone; drops the request where that is still possible, and every answer nobody has taken. */
  cancel(): void;
}

/** Every answer of a request in order; whoever reads releases each. */
export async function* answersOf(ticket: Pick<InferTicket, "answer">): AsyncGenerator<InferAnswer, void> {
  let answer = await ticket.answer;
  for (;;) {
    const { next } = answer;
    yield answer;
    if (next === undefined) return;
    answer = await next();
  }
}
