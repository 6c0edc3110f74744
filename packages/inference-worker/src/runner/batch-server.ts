import { NereidError } from "@nereid/errors";
import type {
  BatchRequest,
  CollectRequest,
  ExecuteRequest,
  InstanceReply,
  OutputRequest,
  TensorRef,
} from "../runner-protocol/messages.ts";
import { monotonicNs } from "./monotonic.ts";
import { arenaBytes, type BufferOf, type ProducedOutput, placeOutputs } from "./place-outputs.ts";
import { SegmentMap } from "./segment-map.ts";

/** A model that computes a whole batch at once. Outputs with a place are written there; the others come back loose. */
export interface BatchModel {
  run(
    inputs: readonly TensorRef[],
    outputs: readonly OutputRequest[],
    bufferOf: BufferOf,
  ): Promise<readonly ProducedOutput[]>;
}

interface Waiting {
  readonly id: number;
  readonly outputs: readonly ProducedOutput[];
  readonly inferStartNs: number;
  readonly inferEndNs: number;
}

/** Serves a batch model: executions run one after the other, and their outputs go where the server wants them. */
export class BatchServer {
  readonly #model: BatchModel;
  readonly #send: (reply: InstanceReply) => void;
  readonly #segments = new SegmentMap();
  #waiting: Waiting | undefined;
  #turn: Promise<void> = Promise.resolve();
  #onCollected: () => void = () => undefined;

  constructor(model: BatchModel, send: (reply: InstanceReply) => void) {
    this.#model = model;
    this.#send = send;
  }

  /** Takes a message; executions run one after the other. A `collect` belongs to the execution that waits for it. */
  receive(request: BatchRequest): void {
    // Now and not in its turn: a `collect` may use memory that an execution waiting behind it announced.
    if (request.type !== "discard") this.#segments.learn(request.segments ?? []);
    if (request.type === "discard") this.#discard(request.id);
    else if (request.type === "collect") void this.#handle(request);
    else this.#turn = this.#turn.then(() => this.#handle(request)).then(() => this.#collected());
  }

  async #handle(request: ExecuteRequest | CollectRequest): Promise<void> {
    try {
      if (request.type === "execute") await this.#execute(request);
      else this.#collect(request);
    } catch (error) {
      this.#waiting = undefined;
      this.#onCollected();
      this.#reply({ type: "failed", id: request.id, ...failureOf(error) });
    }
  }

  async #execute(request: ExecuteRequest): Promise<void> {
    this.#segments.forget(request.forget ?? []);
    const bufferOf = (segment: number) => this.#segments.bufferOf(segment);
    const inferStartNs = monotonicNs();
    const outputs = await this.#model.run(request.inputs, request.outputs, bufferOf);
    const inferEndNs = monotonicNs();
    const done: Waiting = { id: request.id, outputs, inferStartNs, inferEndNs };
    const byteLength = arenaBytes(outputs);
    if (byteLength > (request.arena?.byteLength ?? 0)) {
      this.#waiting = done;
      this.#reply({ type: "overflow", id: request.id, byteLength });
      return;
    }
    this.#finish(done, request.arena);
  }

  /** Resolves once no execution waits for room for its outputs. */
  #collected(): Promise<void> {
    if (this.#waiting === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onCollected = resolve;
    });
  }

  #discard(id: number): void {
    if (this.#waiting?.id !== id) return;
    this.#waiting = undefined;
    this.#onCollected();
  }

  #collect(request: CollectRequest): void {
    const waiting = this.#waiting;
    if (waiting === undefined || waiting.id !== request.id)
      throw new Error(`nothing to collect for execution ${request.id}`);
    this.#waiting = undefined;
    this.#finish(waiting, request.arena);
    this.#onCollected();
  }

  #finish(done: Waiting, arena: ExecuteRequest["arena"]): void {
    const outputs = placeOutputs(done.outputs, arena, (segment) => this.#segments.bufferOf(segment));
    const { id, inferStartNs, inferEndNs } = done;
    this.#reply({ type: "executed", id, inferStartNs, inferEndNs, outputs });
  }

  #reply(reply: InstanceReply): void {
    this.#send(reply);
  }
}

function failureOf(error: unknown): { code: "INTERNAL" | "INVALID_ARGUMENT"; message: string } {
  const { code, message } = NereidError.from(error);
  return { code: code === "INVALID_ARGUMENT" ? code : "INTERNAL", message };
}
