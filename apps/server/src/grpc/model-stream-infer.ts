import { NereidError } from "@nereid/errors";
import {
  decodeInferMessage,
  type EncodedFrame,
  encodeStreamFailure,
  encodeStreamResponse,
  type InferMessage,
} from "@nereid/grpc";
import { answersOf, type InferAnswer } from "@nereid/inference-worker";
import type { InferResponse } from "@nereid/protocol";
import { oneHeader } from "../http/one-header.ts";
import type { InferenceTicket } from "../inference/start-inference.ts";
import type { ServerContext } from "../server-context.ts";
import { requestEncoding } from "./compression.ts";
import type { GrpcCall } from "./grpc-call.ts";
import { OK, SHUTTING_DOWN, statusOf } from "./grpc-status.ts";
import { type StartedInference, startGrpcInference } from "./infer-start.ts";
import { placeForMessage } from "./message-place.ts";
import { announceCompression, encodeWithin } from "./model-infer.ts";
import { OrderedReplies, type ReplyPlace } from "./ordered-replies.ts";
import { MessageReader, type ReceivedMessage } from "./read-messages.ts";

/** Requests of one stream that are not answered; beyond, the client is asked to wait by not reading on. */
const MOST_OUTSTANDING = 1024;
/** Bytes of answers that the client has not taken. */
const MOST_UNREAD_BYTES = 16 << 20;

interface Reply {
  readonly frame: EncodedFrame;
  release(): void;
}

/** ModelStreamInfer (grpc.md §5): requests as they come, answers in their order, errors inside the stream. */
export function serveModelStreamInfer(context: ServerContext, call: GrpcCall): void {
  new StreamInference(context, call);
}

class StreamInference {
  readonly #context: ServerContext;
  readonly #call: GrpcCall;
  readonly #reader: MessageReader;
  readonly #replies: OrderedReplies<Reply>;
  /** Replies of decoupled models that preserve the order of their requests, by model. */
  readonly #orders = new Map<string, OrderedReplies<Reply>>();
  readonly #tickets = new Set<InferenceTicket>();
  /** The first failure of an inference ends the stream with its status instead of a message. */
  readonly #failsWithStatus: boolean;
  #outstanding = 0;
  #ended = false;
  #waitStartNs: number;
  #goOn: (() => void) | undefined;
  /** The client has to take answers before more requests are read. */
  #unread = false;

  constructor(context: ServerContext, call: GrpcCall) {
    this.#context = context;
    this.#call = call;
    this.#failsWithStatus = oneHeader(call.headers["triton_grpc_error"]) === "true";
    this.#waitStartNs = context.clock.nowNs();
    this.#replies = new OrderedReplies((reply) => this.#send(reply));
    announceCompression(context, call);
    this.#reader = new MessageReader(call, {
      bodies: context.bodies,
      maxMessageBytes: context.options.grpc.maxMessageBytes,
      encoding: requestEncoding(oneHeader(call.headers["grpc-encoding"])),
      place: (length, head) => placeForMessage(context, length, head),
      onMessage: (received) => this.#take(received),
      onEnd: () => {
        this.#ended = true;
        this.#finishWhenDone();
      },
      onError: (error) => this.#fail(error),
    });
    // Only now: a stream whose headers are refused has no reader.
    call.onGone = () => this.#abandon();
    call.receiving = () => this.#reader.inside;
  }

  #take(received: ReceivedMessage): Promise<void> | undefined {
    const waitStartNs = this.#waitStartNs;
    const waitEndNs = this.#context.clock.nowNs();
    this.#waitStartNs = waitEndNs;
    let message: InferMessage;
    try {
      message = decodeInferMessage(received.bytes);
    } catch (error) {
      received.release();
      this.#fail(error);
      return undefined;
    }
    this.#outstanding += 1;
    this.#holdBack();
    const request = new StreamRequest(message, this.#placeFor(message));
    const refuse = (error: unknown) => {
      received.release();
      // What fails before it is issued is always said inside the stream, with nothing but the id.
      request.place.put(failureOf(encodeStreamFailure({ message: statusOf(error).message, id: message.id })));
      this.#done(request);
    };
    try {
      if (this.#context.phase === "exiting") throw new NereidError("UNAVAILABLE", SHUTTING_DOWN.message);
      const started = startGrpcInference(this.#context, this.#call, { message, waitStartNs, waitEndNs });
      if (!(started instanceof Promise)) {
        void this.#follow(request, started, received);
        return undefined;
      }
      return started.then((later) => void this.#follow(request, later, received), refuse);
    } catch (error) {
      refuse(error);
      return undefined;
    }
  }

  /** Answers of decoupled models go out as they are produced, all others in the order of the requests. */
  #placeFor({ modelName, modelVersion }: InferMessage): ReplyPlace<Reply> {
    const version = modelVersion === "" ? undefined : modelVersion;
    try {
      const { decoupled, scheduling } = this.#context.manager.resolve(modelName, version).spec;
      const inOrder = scheduling.kind === "dynamic" && scheduling.preserveOrdering;
      // Among the requests to this model only: those to others go on.
      if (decoupled && inOrder) return this.#orderOf(`${modelName}/${modelVersion}`).open();
      if (decoupled) return { put: (reply) => this.#send(reply), end: () => undefined };
    } catch {
      // The refusal takes its turn like an answer.
    }
    return this.#replies.open();
  }

  #orderOf(model: string): OrderedReplies<Reply> {
    let order = this.#orders.get(model);
    if (order === undefined) {
      order = new OrderedReplies((reply) => this.#send(reply));
      this.#orders.set(model, order);
    }
    return order;
  }

  /** Waits for the answer of an issued request and brings it to its place. */
  async #follow(request: StreamRequest, started: StartedInference, received: ReceivedMessage): Promise<void> {
    const { ticket } = started;
    this.#tickets.add(ticket);
    try {
      for await (const answer of answersOf(ticket)) {
        await this.#answer(request, started, answer);
        // Answers nobody takes must not pile up: the model is held up until the client has read some.
        if (answer.next !== undefined) await this.#read();
      }
    } catch (error) {
      if (this.#failsWithStatus) this.#fail(error);
      else request.place.put(failureOf(encodeStreamFailure(request.failure(error))));
    } finally {
      ticket.trace?.end();
      started.hold?.release();
      received.release();
      this.#tickets.delete(ticket);
      this.#done(request);
    }
  }

  async #answer(request: StreamRequest, started: StartedInference, answer: InferAnswer): Promise<void> {
    const { trace } = started.ticket;
    const final = answer.next === undefined;
    if (answer.empty === true && !started.emptyFinalResponse) return answer.release();
    const response = answer.empty === true ? request.named(answer.response) : answer.response;
    let frame: EncodedFrame;
    try {
      frame = await encodeWithin(this.#context, this.#call, encodeStreamResponse(response, final));
    } catch (error) {
      answer.release();
      throw error;
    }
    if (frame.copied) answer.release();
    if (!this.#call.open) return answer.release();
    trace?.stamp("GRPC_SEND_START", this.#context.clock.nowNs());
    request.place.put({ frame, release: answer.release });
    const sentNs = this.#context.clock.nowNs();
    trace?.stamp("GRPC_SEND_END", sentNs);
    if (answer.flight !== undefined) answer.flight.writeNs = sentNs - answer.moments.endNs;
  }

  /** Resolves once the client has taken enough of what was sent, or is gone. */
  #read(): Promise<void> {
    const { stream } = this.#call;
    if (!this.#call.open || stream.writableLength <= MOST_UNREAD_BYTES) return Promise.resolve();
    return new Promise((resolve) => {
      const go = () => {
        stream.off("drain", go);
        stream.off("close", go);
        resolve();
      };
      stream.once("drain", go);
      stream.once("close", go);
    });
  }

  #send({ frame, release }: Reply): void {
    this.#call.send(frame, release);
    if (!this.#unread && this.#call.open && this.#call.stream.writableLength > MOST_UNREAD_BYTES) {
      this.#unread = true;
      const goOn = this.#reader.hold();
      this.#call.stream.once("drain", () => {
        this.#unread = false;
        goOn();
      });
    }
  }

  #done({ place }: StreamRequest): void {
    place.end();
    this.#outstanding -= 1;
    if (this.#outstanding < MOST_OUTSTANDING) {
      this.#goOn?.();
      this.#goOn = undefined;
    }
    this.#finishWhenDone();
  }

  #holdBack(): void {
    if (this.#outstanding >= MOST_OUTSTANDING) this.#goOn ??= this.#reader.hold();
  }

  #finishWhenDone(): void {
    if (this.#ended && this.#outstanding === 0) this.#call.finish(OK);
  }

  /** Ends the whole stream. */
  #fail(error: unknown): void {
    this.#call.finish(statusOf(error));
    this.#abandon();
  }

  /** Nobody reads on: drops what waits, and what has not begun to execute. */
  #abandon(): void {
    this.#reader.stop();
    for (const ticket of this.#tickets) ticket.cancel();
    for (const order of [this.#replies, ...this.#orders.values()]) for (const reply of order.clear()) reply.release();
  }
}

class StreamRequest {
  readonly place: ReplyPlace<Reply>;
  readonly #message: InferMessage;

  constructor(message: InferMessage, place: ReplyPlace<Reply>) {
    this.#message = message;
    this.place = place;
  }

  /** The mark of a decoupled model's end: names as in the request. */
  named(response: InferResponse): InferResponse {
    const { modelName, modelVersion } = this.#message;
    return { ...response, modelName, modelVersion, outputs: [] };
  }

  /** What the client is told of a failure after the request was issued: names as in the request. */
  failure(error: unknown) {
    const { id, modelName, modelVersion } = this.#message;
    return { message: statusOf(error).message, id, inference: { modelName, modelVersion, final: true } };
  }
}

function failureOf(frame: EncodedFrame): Reply {
  return { frame, release: () => undefined };
}
