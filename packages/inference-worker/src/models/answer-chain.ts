import type { NereidError } from "@nereid/errors";
import type { InferAnswer } from "./infer-ticket.ts";

/** An answer before it knows whether others follow. */
export type ChainedAnswer = Omit<InferAnswer, "next">;

interface Taker {
  readonly resolve: (answer: InferAnswer) => void;
  readonly reject: (error: NereidError) => void;
}

type Piece =
  | { readonly kind: "answer"; readonly answer: ChainedAnswer; readonly final: boolean }
  | { readonly kind: "failure"; readonly error: NereidError };

/** The answers of one request of a decoupled model between whoever makes them and whoever sends them. */
export class AnswerChain {
  readonly #pieces: Piece[] = [];
  #taker: Taker | undefined;
  #abandoned: NereidError | undefined;
  #ended = false;

  /** Whether the last answer, or a failure, is in. */
  get ended(): boolean {
    return this.#ended;
  }

  put(answer: ChainedAnswer, final: boolean): void {
    const wanted = !this.#ended && this.#abandoned === undefined;
    this.#ended ||= final;
    if (wanted) this.#hand({ kind: "answer", answer, final });
    else answer.release();
  }

  fail(error: NereidError): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#abandoned === undefined) this.#hand({ kind: "failure", error });
  }

  /** The next answer; one call at a time, and none after the last. */
  readonly take = (): Promise<InferAnswer> =>
    new Promise((resolve, reject) => {
      const piece = this.#pieces.shift();
      if (piece !== undefined) this.#settle({ resolve, reject }, piece);
      else if (this.#abandoned !== undefined) reject(this.#abandoned);
      else this.#taker = { resolve, reject };
    });

  /** Nobody reads on: gives back what is here, and all that comes later. */
  abandon(error: NereidError): void {
    if (this.#abandoned !== undefined) return;
    this.#abandoned = error;
    for (const piece of this.#pieces.splice(0)) if (piece.kind === "answer") piece.answer.release();
    this.#taker?.reject(error);
    this.#taker = undefined;
  }

  #hand(piece: Piece): void {
    const taker = this.#taker;
    this.#taker = undefined;
    if (taker === undefined) this.#pieces.push(piece);
    else this.#settle(taker, piece);
  }

  #settle(taker: Taker, piece: Piece): void {
    if (piece.kind === "failure") taker.reject(piece.error);
    else if (piece.final) taker.resolve(piece.answer);
    else taker.resolve({ ...piece.answer, next: this.take });
  }
}
