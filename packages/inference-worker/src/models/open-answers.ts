import { NereidError } from "@nereid/errors";
import { AnswerChain } from "./answer-chain.ts";
import type { InferAnswer } from "./infer-ticket.ts";
import type { AnswerSink } from "./job.ts";

/** The two ends of a request's answers: where they are put, and what its client waits for. */
export interface OpenAnswers {
  readonly sink: AnswerSink;
  readonly answer: Promise<InferAnswer>;
  /** Nobody takes further answers. */
  readonly abandon: () => void;
}

/** One promise, or for a decoupled model a chain of them. */
export function openAnswers(decoupled: boolean): OpenAnswers {
  if (decoupled) {
    const chain = new AnswerChain();
    return {
      sink: {
        answer: (answer, final) => chain.put(answer, final),
        fail: (error) => chain.fail(error),
      },
      answer: chain.take(),
      abandon: () => chain.abandon(new NereidError("CANCELLED", "")),
    };
  }
  const { promise, resolve, reject } = withResolvers();
  return { sink: { answer: resolve, fail: reject }, answer: promise, abandon: () => undefined };
}

function withResolvers() {
  let resolve: (answer: InferAnswer) => void = () => undefined;
  let reject: (error: NereidError) => void = () => undefined;
  const promise = new Promise<InferAnswer>((good, bad) => {
    resolve = good;
    reject = bad;
  });
  return { promise, resolve, reject };
}
