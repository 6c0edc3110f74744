import { seededRandom } from "../load/seeded-random.ts";
import { encodeRequest } from "./encode-request.ts";
import { type LoadSpec, type RequestStep, type SequencePlan, shareOf } from "./load-spec.ts";

/** A request that is next to be sent. */
export interface PreparedRequest {
  readonly bytes: Uint8Array;
  /** Number of its step, over all streams. */
  readonly input: number;
  /** 0 = none. */
  readonly sequenceId: number;
  readonly sequenceEnd: boolean;
  /** Gives its sequence free for its next request. */
  readonly done: () => void;
}

const nothing = () => undefined;

/** Requests in turn. `next()` is undefined while every sequence waits for an answer. */
export interface RequestSource {
  next(): PreparedRequest | undefined;
  /**
   * Ends of the sequences that have begun and wait for their next request, each once: a server keeps a place for a sequence until it has
   * its end, and others may wait for that place. Nothing more is sent of them.
   */
  ends(): readonly Uint8Array[];
}

/** The requests of a load; those of no sequence are encoded once. */
export function requestSource(spec: LoadSpec): RequestSource {
  return spec.sequences === undefined ? plainSource(spec) : new SequenceSource(spec, spec.sequences);
}

function plainSource(spec: LoadSpec): RequestSource {
  const steps = spec.streams.flat();
  const requests = steps.map((step, input) => ({
    bytes: encodeRequest(spec, step),
    input,
    sequenceId: 0,
    sequenceEnd: false,
    done: nothing,
  }));
  // Processes begin at different places, so that together they go through all.
  let at = Math.floor((spec.share.index * requests.length) / spec.share.of);
  return { next: () => requests[at++ % requests.length], ends: () => [] };
}

interface Slot {
  id: number;
  stream: number;
  length: number;
  /** Requests of the sequence that were sent. */
  sent: number;
}

class SequenceSource implements RequestSource {
  readonly #spec: LoadSpec;
  readonly #plan: SequencePlan;
  readonly #random: () => number;
  readonly #free: Slot[];
  /** Number of the first step of each stream. */
  readonly #firstInputs: readonly number[];
  readonly #live = new Set<number>();
  #begun = 0;

  constructor(spec: LoadSpec, plan: SequencePlan) {
    this.#spec = spec;
    this.#plan = plan;
    this.#random = seededRandom(spec.seed + spec.share.index);
    let steps = 0;
    this.#firstInputs = spec.streams.map((stream) => {
      const first = steps;
      steps += stream.length;
      return first;
    });
    const slots = spec.shape.kind === "closed" ? spec.shape.concurrency : shareOf(plan.concurrent, spec.share);
    this.#free = Array.from({ length: Math.max(1, slots) }, () => this.#begin());
  }

  next(): PreparedRequest | undefined {
    const slot = this.#free.shift();
    if (slot === undefined) return undefined;
    const { id, stream, length } = slot;
    const at = slot.sent++;
    const place = { id, start: at === 0, end: at === length - 1 };
    const steps = this.#spec.streams[stream] ?? [];
    const step: RequestStep = steps[at % steps.length] ?? { kind: "tensors", inputs: [] };
    const done = () => {
      if (place.end) this.#live.delete(id);
      this.#free.push(place.end ? this.#begin() : slot);
    };
    const input = (this.#firstInputs[stream] ?? 0) + (at % Math.max(1, steps.length));
    return { bytes: encodeRequest(this.#spec, step, place), input, sequenceId: id, sequenceEnd: place.end, done };
  }

  ends(): readonly Uint8Array[] {
    const begun = this.#free.filter(({ sent }) => sent > 0);
    for (const slot of begun) this.#free.splice(this.#free.indexOf(slot), 1);
    return begun.map(({ id, stream, sent }) => {
      const steps = this.#spec.streams[stream] ?? [];
      const step: RequestStep = steps[sent % Math.max(1, steps.length)] ?? { kind: "tensors", inputs: [] };
      return encodeRequest(this.#spec, step, { id, start: false, end: true });
    });
  }

  #begin(): Slot {
    const { index, of } = this.#spec.share;
    const stream = (index + this.#begun * of) % this.#spec.streams.length;
    const next = () => this.#id(index + this.#begun++ * of);
    let id = next();
    // In a range that is used again, an id may still be that of a sequence that has not ended.
    while (this.#live.has(id)) id = next();
    this.#live.add(id);
    return { id, stream, length: this.#length(stream), sent: 0 };
  }

  #id(number: number): number {
    const { firstId, endId } = this.#plan;
    return firstId + (endId === undefined ? number : number % (endId - firstId));
  }

  #length(stream: number): number {
    const { length, variation } = this.#plan;
    if (length === undefined) return this.#spec.streams[stream]?.length ?? 1;
    return Math.max(1, Math.round(length * (1 + variation * (2 * this.#random() - 1))));
  }
}
