import type { Socket } from "node:net";
import { NereidError } from "@nereid/errors";
import { InstanceCalls } from "../calls/instance-calls.ts";
import type { ModelCalls } from "../calls/model-calls.ts";
import type { CallReply } from "../runner-protocol/call-messages.ts";
import { MAX_FRAME, writeFrame } from "../runner-protocol/frame.ts";
import type {
  ExecuteRequest,
  ExecuteRequestsRequest,
  InstanceReply,
  InstanceRequest,
  OutputRequest,
  RequestPart,
  TensorPlace,
  TensorRef,
} from "../runner-protocol/messages.ts";
import type { Slab, SlabBlock } from "../shm/slab.ts";
import { looseCharacters } from "./loose-characters.ts";
import type { RequestsExecution, RequestsTicket, ResponseSink } from "./requests-execution.ts";
import { RequestsRun, type RunLink } from "./requests-run.ts";
import { ResponseCredit } from "./response-credit.ts";
import { SegmentNews } from "./segment-news.ts";
import { toRequestPart } from "./to-request-part.ts";

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

/** A control character is `\u0000` in JSON. */
const MOST_BYTES_OF_A_CHARACTER = 6;
const ROOM_FOR_THE_REST = 4 << 20;
/** Bytes of messages that a runner may leave unread and still make calls: twice the longest message. */
const MOST_UNREAD = 2 * MAX_FRAME;

type BatchReply = Extract<InstanceReply, { type: "executed" | "overflow" | "failed" }>;
type RunReply = Extract<InstanceReply, { type: "room" | "respond" | "returned" }>;

interface InFlight {
  readonly id: number;
  readonly resolve: (result: ExecutionResult) => void;
  readonly reject: (error: NereidError) => void;
  extra: SlabBlock | undefined;
}

/** What an instance's connection belongs to. */
export interface ChannelHost {
  readonly slab: Slab;
  /** For its calls, its metrics and its log. */
  readonly model: string;
  readonly pid: number;
  readonly calls?: ModelCalls | undefined;
}

/** The server's end of one instance's connection. The instance takes executions in the order it got them. */
export class InstanceChannel {
  readonly index: number;
  readonly #socket: Socket;
  readonly #slab: Slab;
  readonly #news = new SegmentNews();
  readonly #credit = new ResponseCredit();
  readonly #link: RunLink;
  readonly #calls: InstanceCalls;
  readonly #inFlight = new Map<number, InFlight>();
  readonly #runs = new Map<number, RequestsRun>();
  #nextId = 1;
  #closed: string | undefined;
  #ending = false;
  readonly #onIdle: (() => void)[] = [];

  constructor(index: number, socket: Socket, on: ChannelHost) {
    const { slab } = on;
    this.index = index;
    this.#socket = socket;
    this.#slab = slab;
    this.#link = {
      credit: this.#credit,
      send: (message) => this.#send(message),
      announce: (place) => this.#news.announce([place]),
      allocate: (byteLength) => slab.allocate(byteLength),
    };
    this.#calls = new InstanceCalls({
      caller: { model: on.model, instance: index, pid: on.pid },
      calls: on.calls,
      send: (message) => this.#send(message),
      announce: (places) => this.#news.announce(places),
      allocate: (byteLength) => slab.allocate(byteLength),
    });
  }

  /** Asks the model itself whether it is ready. Only for models that said that they tell. */
  checkReadiness(): Promise<{ readonly ready: boolean; readonly message?: string }> {
    return this.#calls.checkReadiness();
  }

  /** The server itself has closed the connection; the runner goes on without this instance. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Closes the connection, which ends the instance. What it still has fails once, with this reason. */
  end(reason = "the instance was taken away"): void {
    this.#ending = true;
    this.close(reason);
    this.#socket.end();
  }

  /** Resolves once everything it was given is answered, or the connection is closed. */
  async idle(): Promise<void> {
    if (!this.busy || this.#closed !== undefined) return;
    await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  #checkIdle(): void {
    if (this.#onIdle.length === 0 || (this.busy && this.#closed === undefined)) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  get busy(): boolean {
    return this.#inFlight.size > 0 || this.#runs.size > 0;
  }

  execute(execution: Execution): Promise<ExecutionResult> {
    if (this.#closed !== undefined) return Promise.reject(this.#lost(this.#closed));
    const id = this.#nextId++;
    const { inputs, outputs, arena } = execution;
    const places: TensorPlace[] = [
      ...inputs,
      ...outputs.flatMap(({ place }) => place ?? []),
      ...(arena ? [placeOf(arena)] : []),
    ];
    const request: ExecuteRequest = {
      type: "execute",
      id,
      inputs,
      outputs,
      ...this.#news.announce(places),
      ...this.#news.takeForget(),
      ...(arena && { arena: placeOf(arena) }),
    };
    return new Promise((resolve, reject) => {
      this.#inFlight.set(id, { id, resolve, reject, extra: undefined });
      this.#send(request);
    });
  }

  /**
   * Executes requests on an instance whose style is "requests". Inputs may lie in any live slab of this process. The sink gets the
   * responses as they arrive, and for each request exactly one that is final: UNAVAILABLE where the runner is lost.
   */
  executeRequests(execution: RequestsExecution, sink: ResponseSink): RequestsTicket {
    const id = this.#nextId++;
    const run = new RequestsRun(id, execution, { sink, link: this.#link });
    const ticket = { returned: run.returned, cancel: (index: number) => run.cancel(index) };
    const closed = this.#closed;
    if (closed !== undefined) {
      // Later, as every other answer: the caller has no ticket yet.
      queueMicrotask(() => run.fail(this.#lost(closed)));
      return ticket;
    }
    const { arena } = execution;
    const requests = execution.requests.map(toRequestPart);
    if (isTooLong(execution, requests)) {
      // Before anything is announced that the runner would not hear of.
      queueMicrotask(() => run.fail(tooLong()));
      return ticket;
    }
    const places = requests.flatMap(({ inputs }): readonly TensorPlace[] => inputs);
    this.#runs.set(id, run);
    this.#send({
      type: "execute-requests",
      id,
      requests,
      decoupled: execution.decoupled,
      ...this.#news.announce(arena === undefined ? places : [...places, placeOf(arena)]),
      ...this.#news.takeForget(),
      ...(arena && { arena: placeOf(arena) }),
    } satisfies ExecuteRequestsRequest);
    return ticket;
  }

  /** Takes a reply. Throws when it is not as the protocol says; the runner must then be ended. */
  receive(reply: InstanceReply): void {
    if (reply.type === "hello") return;
    if (reply.type === "room" || reply.type === "respond" || reply.type === "returned") this.#onRun(reply);
    else if (isCall(reply)) this.#onCall(reply);
    else if (this.#inFlight.has(reply.id)) this.#onBatch(reply);
    else if (this.#runs.has(reply.id)) this.#onRunFailed(reply);
    this.#checkIdle();
  }

  #onCall(reply: CallReply): void {
    this.#calls.receive(reply);
    const { writableLength } = this.#socket;
    if (writableLength > MOST_UNREAD)
      throw new RangeError(`goes on calling and does not read the answers, of which ${writableLength} bytes wait`);
  }

  #onBatch(reply: BatchReply): void {
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
        inFlight.reject(failureOf(reply));
    }
  }

  /** The runner is gone; what it was doing fails once, with a class that tells the client to try again. */
  close(reason: string): void {
    this.#closed ??= reason;
    this.#news.close();
    this.#credit.close();
    const lostOnes = [...this.#inFlight.values()];
    const lostRuns = [...this.#runs.values()];
    this.#inFlight.clear();
    this.#runs.clear();
    for (const { extra, reject } of lostOnes) {
      extra?.release();
      reject(this.#lost(reason));
    }
    for (const run of lostRuns) run.fail(this.#lost(reason));
    this.#calls.close();
    this.#checkIdle();
  }

  #onRunFailed(reply: BatchReply): void {
    if (reply.type !== "failed") throw new RangeError(`'${reply.type}' does not answer an execution of requests`);
    const run = this.#runs.get(reply.id);
    this.#runs.delete(reply.id);
    run?.fail(failureOf(reply));
  }

  #onRun(reply: RunReply): void {
    const run = this.#runs.get(reply.id);
    if (run === undefined) throw new RangeError(`'${reply.type}' for execution ${reply.id}, which is not open`);
    if (reply.type === "room") run.room(reply);
    else if (reply.type === "respond") run.respond(reply);
    else run.settle(reply);
    if (run.over) this.#runs.delete(reply.id);
  }

  #collect(inFlight: InFlight, byteLength: number): void {
    try {
      inFlight.extra = this.#slab.allocate(byteLength);
    } catch (error) {
      this.#inFlight.delete(inFlight.id);
      this.#send({ type: "discard", id: inFlight.id });
      inFlight.reject(NereidError.from(error));
      return;
    }
    const arena = placeOf(inFlight.extra);
    this.#send({ type: "collect", id: inFlight.id, arena, ...this.#news.announce([arena]) });
  }

  #lost(reason: string): NereidError {
    const what = this.#ending ? "the instance" : "the process";
    return new NereidError(
      "UNAVAILABLE",
      `${what} running this model ended while it held the request (${reason}); the request was not answered and may be sent again`,
    );
  }

  #send(request: InstanceRequest): void {
    writeFrame(this.#socket, request);
  }
}

const CALLS: ReadonlySet<string> = new Set<CallReply["type"]>([
  "call-room",
  "call-infer",
  "call-release",
  "call-cancel",
  "call-manage",
  "log",
  "metric",
  "readiness",
]);

function isCall(reply: InstanceReply): reply is CallReply {
  return CALLS.has(reply.type);
}

/** Whether the requests do not fit into one message, with room for what else is in it. */
function isTooLong({ requests }: RequestsExecution, parts: readonly RequestPart[]): boolean {
  const characters = requests.reduce((sum, request) => sum + looseCharacters(request), 0);
  if (characters * MOST_BYTES_OF_A_CHARACTER < MAX_FRAME / 2) return false;
  return Buffer.byteLength(JSON.stringify(parts)) > MAX_FRAME - ROOM_FOR_THE_REST;
}

function tooLong(): NereidError {
  return new NereidError(
    "INVALID_ARGUMENT",
    `the id and parameters of the request, with those executed beside it, take more than the ${(MAX_FRAME - ROOM_FOR_THE_REST) >> 20} MiB that a model can be given; send large data as a tensor`,
  );
}

function placeOf(block: SlabBlock): TensorPlace {
  return { segment: block.segment, offset: block.offset, byteLength: block.byteLength };
}

function failureOf({ code, message }: Extract<InstanceReply, { type: "failed" }>): NereidError {
  return new NereidError(code === "INVALID_ARGUMENT" ? code : "INTERNAL", String(message));
}
