import { NereidError } from "@nereid/errors";
import type { RequestsRequest, RespondReply, RoomReply, TensorPlace } from "../runner-protocol/messages.ts";
import type { SlabBlock } from "../shm/slab.ts";
import { readResponse } from "./read-response.ts";
import type { ExecutionTimes, RequestsExecution, ResponseSink } from "./requests-execution.ts";
import type { ResponseCredit } from "./response-credit.ts";

/** What a run needs of the channel it goes over. */
export interface RunLink {
  readonly credit: ResponseCredit;
  send(message: RequestsRequest): void;
  /** Segments of this place that the instance has not been told of, as a member of a message. */
  announce(place: TensorPlace): object;
  /** UNAVAILABLE when there is no memory. */
  allocate(byteLength: number): SlabBlock;
}

/** Memory asked for by one response, between `room` and `respond`. */
type Room =
  | { readonly state: "waiting"; readonly withdraw: () => void }
  | { readonly state: "granted"; readonly block: SlabBlock; readonly release: () => void };

interface OpenRequest {
  /** "refused": the server itself gave the final response; what the runner still sends is dropped. */
  state: "open" | "refused" | "done";
  cancelled: boolean;
  readonly rooms: Map<number, Room>;
}

/**
 * One execution of requests, from the server's side: what has been answered, and the memory the answers lie in. Every method that
 * takes a reply throws RangeError when the reply is not as the protocol says.
 */
export class RequestsRun {
  readonly returned: Promise<ExecutionTimes>;
  readonly #id: number;
  readonly #decoupled: boolean;
  readonly #arena: SlabBlock | undefined;
  readonly #sink: ResponseSink;
  readonly #link: RunLink;
  readonly #requests: readonly OpenRequest[];
  /** The run itself until it is over, and each unreleased response in the arena. */
  #arenaHolders = 1;
  #unfinished: number;
  #times: ExecutionTimes | undefined;
  #ended = false;
  #resolve: (times: ExecutionTimes) => void = () => undefined;
  #reject: (error: NereidError) => void = () => undefined;

  constructor(id: number, execution: RequestsExecution, to: { readonly sink: ResponseSink; readonly link: RunLink }) {
    this.#id = id;
    this.#decoupled = execution.decoupled;
    this.#arena = execution.arena;
    this.#sink = to.sink;
    this.#link = to.link;
    this.#requests = execution.requests.map(() => ({ state: "open", cancelled: false, rooms: new Map() }));
    this.#unfinished = this.#requests.length;
    this.returned = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // The sink hears of every failure; the promise need not be looked at.
    this.returned.catch(() => undefined);
  }

  /** Nothing more can come from the runner. */
  get over(): boolean {
    return this.#ended;
  }

  cancel(index: number): void {
    const request = this.#requests[index];
    if (request === undefined || request.state !== "open" || request.cancelled || this.#ended) return;
    request.cancelled = true;
    this.#link.send({ type: "cancel", id: this.#id, request: index });
    for (const [response, room] of request.rooms) {
      if (room.state !== "waiting") continue;
      room.withdraw();
      this.#drop(request, { request: index, response });
    }
  }

  room(reply: RoomReply): void {
    const { request: index, response, byteLength } = reply;
    const request = this.#requestOf(index);
    if (!Number.isSafeInteger(response) || request.rooms.has(response) || !isSize(byteLength))
      throw new RangeError(`a request for room for response ${response} is malformed`);
    const grant = () => this.#grant(request, { request: index, response, byteLength });
    if (request.cancelled || request.state === "refused") this.#drop(request, { request: index, response });
    else if (this.#decoupled) this.#waitForCredit(request, { response, byteLength, grant });
    else grant();
  }

  respond(reply: RespondReply): void {
    const { request: index, response } = reply;
    const request = this.#requestOf(index);
    const room = response === undefined ? undefined : request.rooms.get(response);
    if (response !== undefined && room?.state !== "granted")
      throw new RangeError(`response ${response} was not granted room`);
    const granted = room?.state === "granted" ? room : undefined;
    const content = readResponse(reply, response === undefined ? this.#arena : granted?.block);
    if (!content.final && !this.#decoupled)
      throw new RangeError(`request ${index} of execution ${this.#id} takes a single response`);
    const wanted = request.state === "open";
    if (response !== undefined) request.rooms.delete(response);
    if (content.final) this.#finish(request);
    const inArena = response === undefined && content.outputs.length > 0;
    const release = granted?.release ?? (inArena ? this.#holdArena() : () => undefined);
    if (wanted) this.#sink.response(index, { ...content, release });
    else release();
    this.#checkOver();
  }

  settle(times: ExecutionTimes): void {
    if (this.#times !== undefined) throw new RangeError(`execution ${this.#id} returned twice`);
    if (!Number.isFinite(times.inferStartNs) || !Number.isFinite(times.inferEndNs))
      throw new RangeError(`execution ${this.#id} returned without its times`);
    this.#times = { inferStartNs: times.inferStartNs, inferEndNs: times.inferEndNs };
    this.#resolve(this.#times);
    this.#sink.returned?.(this.#times);
    this.#checkOver();
  }

  /** Everything that has no final response fails with `error`. */
  fail(error: NereidError): void {
    if (this.#ended) return;
    this.#ended = true;
    const open = this.#requests.map(({ state }) => state === "open");
    for (const request of this.#requests) this.#finish(request);
    this.#letGoOfArena();
    this.#reject(error);
    open.forEach((isOpen, index) => {
      if (isOpen) this.#sink.response(index, failed(error));
    });
  }

  #requestOf(index: number): OpenRequest {
    const request = Number.isInteger(index) ? this.#requests[index] : undefined;
    if (request === undefined) throw new RangeError(`execution ${this.#id} has no request ${index}`);
    if (request.state === "done")
      throw new RangeError(`request ${index} of execution ${this.#id} already had its final response`);
    return request;
  }

  #grant(request: OpenRequest, room: { request: number; response: number; byteLength: number }): void {
    const { request: index, response, byteLength } = room;
    const giveCredit = () => this.#decoupled && this.#link.credit.release(byteLength);
    // Giving back the memory of a run that fails may grant room to the rest of it.
    if (this.#ended) return void giveCredit();
    let block: SlabBlock;
    try {
      block = this.#link.allocate(byteLength);
    } catch (error) {
      this.#drop(request, { request: index, response });
      request.state = "refused";
      giveCredit();
      this.#sink.response(index, failed(NereidError.from(error)));
      return;
    }
    let live = true;
    const release = () => {
      if (!live) return;
      live = false;
      block.release();
      giveCredit();
    };
    request.rooms.set(response, { state: "granted", block, release });
    const { segment, offset } = block;
    const arena = { segment, offset, byteLength };
    const announced = this.#link.announce(arena);
    this.#link.send({ type: "place", id: this.#id, request: index, response, arena, ...announced });
  }

  #waitForCredit(request: OpenRequest, room: { response: number; byteLength: number; grant: () => void }): void {
    // The grant may come at once, and then replaces this.
    let withdraw: () => void = () => undefined;
    request.rooms.set(room.response, { state: "waiting", withdraw: () => withdraw() });
    withdraw = this.#link.credit.acquire(room.byteLength, room.grant);
  }

  #drop(request: OpenRequest, key: { readonly request: number; readonly response: number }): void {
    request.rooms.delete(key.response);
    this.#link.send({ type: "drop", id: this.#id, ...key });
  }

  #finish(request: OpenRequest): void {
    if (request.state === "done") return;
    request.state = "done";
    this.#unfinished -= 1;
    for (const room of request.rooms.values()) {
      if (room.state === "waiting") room.withdraw();
      else room.release();
    }
    request.rooms.clear();
  }

  #holdArena(): () => void {
    this.#arenaHolders += 1;
    let live = true;
    return () => {
      if (!live) return;
      live = false;
      this.#letGoOfArena();
    };
  }

  #letGoOfArena(): void {
    this.#arenaHolders -= 1;
    if (this.#arenaHolders === 0) this.#arena?.release();
  }

  #checkOver(): void {
    if (this.#ended || this.#times === undefined || this.#unfinished > 0) return;
    this.#ended = true;
    this.#letGoOfArena();
  }
}

function failed(error: NereidError) {
  return { outputs: [], error, final: true, reschedule: false, release: () => undefined };
}

function isSize(byteLength: number): boolean {
  return Number.isSafeInteger(byteLength) && byteLength >= 0;
}
