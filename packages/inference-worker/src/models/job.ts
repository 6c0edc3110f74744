import type { NereidError } from "@nereid/errors";
import type { ValidRequest } from "../request/valid-request.ts";
import type { QueuedRequest } from "../scheduler/request-scheduler.ts";
import type { ResponsePlace } from "../scheduler/response-order.ts";
import type { SequenceTurn } from "../sequence/sequence-scheduler.ts";
import type { ChainedAnswer } from "./answer-chain.ts";

/** Where the answers of a request go. Exactly one `final` answer or one failure ends it; later calls are ignored. */
export interface AnswerSink {
  answer(answer: ChainedAnswer, final: boolean): void;
  fail(error: NereidError): void;
}

/** A request from its submission to its last answer. */
export interface Job extends QueuedRequest {
  readonly serial: number;
  /** By which the recent traffic knows it; -1 until it has come to the queue. */
  arrival: number;
  /** Replaced where answers are kept on their way. */
  sink: AnswerSink;
  /** Requests that waited before it when it came. */
  position: number;
  /** Tells the instance that nobody waits any more; set while one works on it. */
  stop: (() => void) | undefined;
  /** Its client has gone. */
  cancelled: boolean;
}

/** One place of a batch: a request as it is executed, with what the server adds to it. */
export interface BatchEntry {
  /** Absent in a null request of the sequence batcher. */
  readonly job: Job | undefined;
  readonly request: ValidRequest;
  readonly turn?: SequenceTurn;
}

/**
 * A sink whose answers wait until all places opened before it have ended (`preserve_ordering`). `keepInMemory`: those that wait are
 * copied out of shared memory. The room of a decoupled model is limited, and what waits here must not take that of the answers it
 * waits for.
 */
export function ordered(
  place: ResponsePlace,
  sink: AnswerSink,
  { keepInMemory = false }: { readonly keepInMemory?: boolean } = {},
): AnswerSink {
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    place.end();
  };
  return {
    answer: (answer, final) => {
      const told = keepInMemory && place.waits ? copied(answer) : answer;
      place.put(() => sink.answer(told, final));
      if (final) end();
    },
    fail: (error) => {
      place.put(() => sink.fail(error));
      end();
    },
  };
}

/** The same answer in memory of its own. */
function copied(answer: ChainedAnswer): ChainedAnswer {
  const outputs = answer.response.outputs.map((output) => ({ ...output, bytes: new Uint8Array(output.bytes) }));
  answer.release();
  return { ...answer, response: { ...answer.response, outputs }, release: () => undefined };
}
