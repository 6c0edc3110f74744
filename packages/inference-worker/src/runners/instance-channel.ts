import type { Socket } from "node:net";
import { NereidError } from "@nereid/errors";
import { writeFrame } from "../runner-protocol/frame.ts";
import type {
  ExecuteRequest,
  InstanceReply,
  InstanceRequest,
  OutputRequest,
  SegmentInfo,
  TensorPlace,
  TensorRef,
} from "../runner-protocol/messages.ts";
import type { Slab, SlabBlock } from "../shm/slab.ts";

export interface Execution {
  readonly inputs: readonly TensorRef[];
  readonly outputs: readonly OutputRequest[];
  readonly arena: SlabBlock | undefined;
}

export interface ExecutionResult {
  readonly inferStartNs: number;
  readonly inferEndNs: number;
  readonly outputs: readonly TensorRef[];
  /** Block the server had to add because the outputs were larger than the arena. */
  readonly extra: SlabBlock | undefined;
}

interface InFlight {
  readonly id: number;
  readonly resolve: (result: ExecutionResult) => void;
  readonly reject: (error: NereidError) => void;
  extra: SlabBlock | undefined;
}

/** The server's end of one instance's connection. The instance answers executions in the order it got them. */
export class InstanceChannel {
  readonly index: number;
  readonly #socket: Socket;
  readonly #slab: Slab;
  readonly #known = new Set<number>();
  #forget: number[] = [];
  readonly #inFlight = new Map<number, InFlight>();
  #nextId = 1;
  #closed: string | undefined;
  #ending = false;

  constructor(index: number, socket: Socket, slab: Slab) {
    this.index = index;
    this.#socket = socket;
    this.#slab = slab;
  }

  /** The server itself has closed the connection; the runner goes on without this instance. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Closes the connection of an idle instance, which ends it. */
  end(): void {
    this.#ending = true;
    this.close("the instance was taken away");
    this.#socket.end();
  }

  get busy(): boolean {
    return this.#inFlight.size > 0;
  }

  execute(execution: Execution): Promise<ExecutionResult> {
    if (this.#closed !== undefined) return Promise.reject(lost(this.#closed));
    const id = this.#nextId++;
    const { inputs, outputs, arena } = execution;
    const places: TensorPlace[] = [
      ...inputs,
      ...outputs.flatMap(({ place }) => place ?? []),
      ...(arena ? [placeOf(arena)] : []),
    ];
    const segments = this.#news(places);
    const request: ExecuteRequest = {
      type: "execute",
      id,
      inputs,
      outputs,
      ...(segments.length > 0 && { segments }),
      ...(this.#forget.length > 0 && { forget: this.#forget }),
      ...(arena && { arena: placeOf(arena) }),
    };
    this.#forget = [];
    return new Promise((resolve, reject) => {
      this.#inFlight.set(id, { id, resolve, reject, extra: undefined });
      writeFrame(this.#socket, request);
    });
  }

  /** Segments that left the slab; told to the runner with the next execution. */
  forget(ids: readonly number[]): void {
    for (const id of ids) {
      if (this.#known.delete(id)) this.#forget.push(id);
    }
  }

  receive(reply: InstanceReply): void {
    if (reply.type === "hello") return;
    const inFlight = this.#inFlight.get(reply.id);
    if (inFlight === undefined) return;
    switch (reply.type) {
      case "executed": {
        this.#inFlight.delete(reply.id);
        const { inferStartNs, inferEndNs, outputs } = reply;
        inFlight.resolve({ inferStartNs, inferEndNs, outputs, extra: inFlight.extra });
        return;
      }
      case "overflow":
        this.#collect(inFlight, reply.byteLength);
        return;
      case "failed":
        this.#inFlight.delete(reply.id);
        inFlight.extra?.release();
        inFlight.reject(new NereidError(reply.code, reply.message));
    }
  }

  /** The runner is gone; what it was doing fails once, with a class that tells the client to try again. */
  close(reason: string): void {
    this.#closed ??= reason;
    const lostOnes = [...this.#inFlight.values()];
    this.#inFlight.clear();
    for (const { extra, reject } of lostOnes) {
      extra?.release();
      reject(lost(reason));
    }
  }

  #collect(inFlight: InFlight, byteLength: number): void {
    try {
      inFlight.extra = this.#slab.allocate(byteLength);
    } catch (error) {
      this.#inFlight.delete(inFlight.id);
      writeFrame(this.#socket, { type: "discard", id: inFlight.id } satisfies InstanceRequest);
      inFlight.reject(NereidError.from(error));
      return;
    }
    const arena = placeOf(inFlight.extra);
    const segments = this.#news([arena]);
    writeFrame(this.#socket, { type: "collect", id: inFlight.id, arena, ...(segments.length > 0 && { segments }) });
  }

  #news(places: readonly TensorPlace[]): SegmentInfo[] {
    const news: SegmentInfo[] = [];
    for (const { segment } of places) {
      if (this.#known.has(segment)) continue;
      const info = this.#slab.describe(segment);
      if (info === undefined) continue;
      this.#known.add(segment);
      news.push(info);
    }
    return news;
  }
}

function placeOf(block: SlabBlock): TensorPlace {
  return { segment: block.segment, offset: block.offset, byteLength: block.byteLength };
}

function lost(reason: string): NereidError {
  return new NereidError(
    "UNAVAILABLE",
    `the process running this model ended while it held the request (${reason}); the request was not answered and may be sent again`,
  );
}
