import type {
  CancelRequest,
  DropRequest,
  ExecuteRequestsRequest,
  InstanceReply,
  PlaceRequest,
  TensorPlace,
  TensorRef,
} from "../../runner-protocol/messages.ts";
import { monotonicNs } from "../monotonic.ts";
import { align, arenaBytes, type BufferOf, placeOutputs } from "../place-outputs.ts";
import type { EncodedResponse } from "./read-script-response.ts";
import type { RequestsModel } from "./requests-model.ts";
import { Responder } from "./responder.ts";
import { ScriptRequest } from "./script-request.ts";

interface RunHost {
  readonly model: RequestsModel;
  readonly bufferOf: BufferOf;
  readonly send: (reply: InstanceReply) => void;
  /** Called once when the execution is over and every request had its final response. */
  readonly closed: () => void;
}

/** One execution: calls the script, and brings the responses of each request to the server in the order they were given. */
export class ScriptRun {
  readonly #request: ExecuteRequestsRequest;
  readonly #host: RunHost;
  readonly #responders: readonly Responder[];
  /** Who waits for room, by serial of the response. */
  readonly #rooms = new Map<number, (place: TensorPlace | undefined) => void>();
  #nextResponse = 0;
  #arenaUsed = 0;
  /** The execution itself and each request without its final response. */
  #open: number;

  constructor(request: ExecuteRequestsRequest, host: RunHost) {
    this.#request = request;
    this.#host = host;
    this.#open = request.requests.length + 1;
    const { decoupled } = request;
    this.#responders = request.requests.map(
      ({ outputs }, index) =>
        new Responder({
          decoupled,
          outputs,
          datatypes: host.model.datatypes,
          room: (response) => this.#room(index, response),
          respond: (content) => this.#respond(index, content),
        }),
    );
  }

  receive(message: PlaceRequest | DropRequest | CancelRequest): void {
    if (message.type === "cancel") {
      this.#responders[message.request]?.cancel();
      return;
    }
    this.#rooms.get(message.response)?.(message.type === "place" ? message.arena : undefined);
    this.#rooms.delete(message.response);
  }

  /** Resolves when the next execution may begin. Rejects when this one could not even begin. */
  async execute(): Promise<void> {
    const { requests, decoupled, id } = this.#request;
    const { model, bufferOf } = this.#host;
    const seen = requests.map((part, index) => new ScriptRequest(part, this.#responderOf(index), bufferOf));
    const inferStartNs = monotonicNs();
    let result: unknown;
    let thrown: { readonly text: string } | undefined;
    try {
      result = await model.execute(seen);
    } catch (error) {
      thrown = { text: model.failure(error) };
    }
    const inferEndNs = monotonicNs();
    const failure = thrown?.text ?? this.#misfit(result);
    if (failure !== undefined) for (const responder of this.#responders) responder.fail("INTERNAL", failure);
    else if (!decoupled)
      this.#responders.forEach((responder, index) => {
        responder.settle(Array.isArray(result) ? result[index] : undefined);
      });
    // The next execution may change what a script's response is a view of.
    if (!decoupled) await Promise.all(this.#responders.map((responder) => responder.delivered));
    this.#host.send({ type: "returned", id, inferStartNs, inferEndNs });
    this.#close();
  }

  /** Why the value that `execute` returned cannot be taken; undefined when it can. */
  #misfit(result: unknown): string | undefined {
    const { model } = this.#host;
    if (this.#request.decoupled) {
      if (result === undefined || result === null) return undefined;
      return model.failureText("the model is decoupled: execute must return nothing and answer with request.send");
    }
    const count = this.#responders.length;
    if (Array.isArray(result)) {
      if (result.length === count) return undefined;
      return model.failureText(`execute returned ${result.length} responses for ${count} requests`);
    }
    if ((result === undefined || result === null) && this.#responders.every(({ answered }) => answered))
      return undefined;
    return model.failureText(`execute must return an array with a response for each request, got ${typeof result}`);
  }

  #responderOf(index: number): Responder {
    const responder = this.#responders[index];
    if (responder === undefined) throw new Error(`no request ${index}`);
    return responder;
  }

  /** Room for a response: in the arena, or what the server gives. Undefined when nobody wants the response. */
  #room(index: number, { outputs }: EncodedResponse): Promise<Room | undefined> | Room {
    const byteLength = arenaBytes(outputs);
    const { arena, decoupled, id } = this.#request;
    if (!decoupled) {
      if (byteLength === 0 && outputs.length === 0) return { place: undefined };
      const start = align(this.#arenaUsed);
      if (arena !== undefined && start + byteLength <= arena.byteLength) {
        this.#arenaUsed = start + byteLength;
        return { place: { segment: arena.segment, offset: arena.offset + start, byteLength } };
      }
    }
    const response = this.#nextResponse++;
    return new Promise((resolve) => {
      this.#rooms.set(response, (place) => resolve(place && { place, response }));
      this.#host.send({ type: "room", id, request: index, response, byteLength });
    });
  }

  #respond(index: number, { response, room, final, reschedule }: Delivery): void {
    const { id } = this.#request;
    const { parameters, error } = response;
    const outputs: TensorRef[] =
      room === undefined ? [] : placeOutputs(response.outputs, room.place, this.#host.bufferOf);
    this.#host.send({
      type: "respond",
      id,
      request: index,
      ...(room?.response !== undefined && { response: room.response }),
      outputs,
      ...(parameters && { parameters }),
      ...(error && { error }),
      final,
      ...(reschedule && { reschedule }),
    });
    if (final) this.#close();
  }

  #close(): void {
    this.#open -= 1;
    if (this.#open === 0) this.#host.closed();
  }
}

/** Where a response goes; without a serial it is the arena, or nothing needs to be placed. */
export interface Room {
  readonly place: TensorPlace | undefined;
  readonly response?: number;
}

/** A response on its way out. */
export interface Delivery {
  readonly response: EncodedResponse;
  /** Undefined: the outputs are dropped. */
  readonly room: Room | undefined;
  readonly final: boolean;
  readonly reschedule: boolean;
}
