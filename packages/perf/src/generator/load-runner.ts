import { type LoadRecord, RecordBuffer } from "../load/load-record.ts";
import { nowMs } from "./clock.ts";
import type { Lane } from "./lane.ts";
import type { LoadSpec } from "./load-spec.ts";
import { shareOf } from "./load-spec.ts";
import type { PreparedRequest, RequestSource } from "./request-source.ts";

/** Behind a failure nothing is sent for so long on the same lane: a server that is gone is not to be hammered. */
export const AFTER_FAILURE_MS = 20;

/** What runs of a load share: the requests that are left, those under way, and what became of them. */
export class LoadRun {
  readonly spec: LoadSpec;
  readonly source: RequestSource;
  readonly records = new RecordBuffer();
  /** The first failure since it was last asked for. */
  failure: string | undefined;
  stopping = false;
  readonly #total: number;
  #issued = 0;
  #ended = 0;
  #onEnd: (() => void) | undefined;

  constructor(spec: LoadSpec, source: RequestSource) {
    this.spec = spec;
    this.source = source;
    this.#total = spec.total === undefined ? Number.POSITIVE_INFINITY : shareOf(spec.total, spec.share);
  }

  /** Whether there is something left to send. */
  get wants(): boolean {
    return !this.stopping && this.#issued < this.#total;
  }

  get underWay(): number {
    return this.#issued - this.#ended;
  }

  /** Resolves when nothing is left to send or under way. */
  ended(): Promise<void> {
    if (this.#isOver()) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEnd = resolve;
    });
  }

  stop(): void {
    this.stopping = true;
    this.#tell();
  }

  /** The next request, counted as sent; undefined when every sequence waits. */
  take(): PreparedRequest | undefined {
    const request = this.source.next();
    if (request !== undefined) this.#issued += 1;
    return request;
  }

  /** Sends a request on a lane and notes what became of it. Answers whether it was answered well. */
  async send(
    lane: Lane,
    request: PreparedRequest,
    due?: { readonly dueMs: number; readonly late: boolean },
  ): Promise<boolean> {
    const startMs = nowMs();
    const { error, ...answer } = await lane.send(request.bytes);
    const { input, sequenceId, sequenceEnd } = request;
    const record: LoadRecord = {
      dueMs: due?.dueMs ?? startMs,
      startMs,
      ...answer,
      ok: error === undefined,
      late: due?.late ?? false,
      sequenceId,
      sequenceEnd,
      input,
    };
    this.records.add(record);
    if (error !== undefined) this.failure ??= error;
    request.done();
    this.#ended += 1;
    this.#tell();
    return error === undefined;
  }

  #isOver(): boolean {
    return !this.wants && this.underWay === 0;
  }

  #tell(): void {
    if (this.#isOver()) this.#onEnd?.();
  }
}
