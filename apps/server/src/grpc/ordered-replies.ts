/** The place of one request's replies on a stream. */
export interface ReplyPlace<T> {
  put(reply: T): void;
  /** Nothing more comes from this request. */
  end(): void;
}

interface Waiting<T> {
  readonly replies: T[];
  ended: boolean;
}

/**
 * Brings replies that come in any order into the order of their requests: a place sends only when all places before it have ended
 * (grpc.md §5).
 */
export class OrderedReplies<T> {
  readonly #send: (reply: T) => void;
  readonly #places: Waiting<T>[] = [];

  constructor(send: (reply: T) => void) {
    this.#send = send;
  }

  /** Opens the place behind all that are open. */
  open(): ReplyPlace<T> {
    const place: Waiting<T> = { replies: [], ended: false };
    this.#places.push(place);
    return {
      put: (reply) => {
        if (place.ended) throw new Error("a reply came after the last one of its request");
        if (this.#places[0] === place) this.#send(reply);
        else place.replies.push(reply);
      },
      end: () => {
        place.ended = true;
        this.#advance();
      },
    };
  }

  /** Replies that wait for others, taken out: they will not be sent any more. */
  clear(): readonly T[] {
    return this.#places.splice(0).flatMap(({ replies }) => replies);
  }

  #advance(): void {
    while (this.#places[0]?.ended === true) {
      this.#places.shift();
      const next = this.#places[0];
      for (const reply of next?.replies.splice(0) ?? []) this.#send(reply);
    }
  }
}
