import { NereidError } from "@nereid/errors";
import { byteSizeOf, isDatatype } from "@nereid/protocol";
import type { InferAnswer, InferTicket } from "../models/infer-ticket.ts";
import type { CallInferReply, CallReply, CallRequest } from "../runner-protocol/call-messages.ts";
import type { TensorPlace, TensorRef } from "../runner-protocol/messages.ts";
import { fromWireParameters, toWireParameters } from "../runner-protocol/parameters.ts";
import { type SegmentPin, segmentRegistry } from "../shm/segment-registry.ts";
import type { SlabBlock } from "../shm/slab.ts";
import { answerManage, answerMetric, callError, checkModelName } from "./answer-calls.ts";
import type { CalledInput, Caller, ModelCall, ModelCalls } from "./model-calls.ts";
import { ReadinessChecks } from "./readiness-checks.ts";

/** What the calls of an instance need of its connection. */
export interface CallLink {
  readonly caller: Caller;
  /** Undefined where models may not call. */
  readonly calls: ModelCalls | undefined;
  send(message: CallRequest): void;
  /** Segments of these places that the instance has not been told of, as a member of a message. */
  announce(places: readonly TensorPlace[]): object;
  /** UNAVAILABLE when there is no memory. */
  allocate(byteLength: number): SlabBlock;
}

/** Answers with outputs that a runner may have unreleased before the next of its call is sent. */
const MOST_AHEAD = 16;
/** Calls of an instance at a time; more are refused. */
const MOST_OPEN = 10_000;

interface OpenCall {
  readonly abort: AbortController;
  room: SlabBlock | undefined;
  begun: boolean;
  ticket: InferTicket | undefined;
  readonly pins: SegmentPin[];
  /** What gives back the memory of each answer that is not released. */
  readonly answers: Map<number, () => void>;
  /** Told when an answer was released. */
  released: (() => void) | undefined;
  over: boolean;
}

/** What one instance asks of the server. Methods throw RangeError when a message is not as the protocol says. */
export class InstanceCalls {
  readonly #link: CallLink;
  readonly #open = new Map<number, OpenCall>();
  readonly #checks: ReadinessChecks;
  #closed = false;
  #left = false;

  constructor(link: CallLink) {
    this.#link = link;
    this.#checks = new ReadinessChecks((check) => link.send({ type: "check-readiness", check }));
  }

  /** Asks the model; false with the reason when it says so, or nothing within five seconds. */
  checkReadiness(): Promise<{ readonly ready: boolean; readonly message?: string }> {
    return this.#closed ? Promise.resolve({ ready: false }) : this.#checks.ask();
  }

  receive(reply: CallReply): void {
    // What was still on its way when the runner ended: its metrics are gone, and would be there for ever.
    if (this.#closed) return;
    const { calls, caller } = this.#link;
    switch (reply.type) {
      case "readiness":
        this.#checks.answer(reply);
        return;
      case "log":
        calls?.log(caller, reply.level, String(reply.message));
        return;
      case "metric":
        this.#send(answerMetric(calls, caller, reply));
        return;
      case "call-manage":
        void answerManage(calls, reply).then((done) => this.#send(done));
        return;
      case "call-room":
        this.#room(reply.call, reply.byteLength);
        return;
      case "call-infer":
        this.#infer(reply);
        return;
      case "call-release":
        this.#release(reply.call, reply.answer);
        return;
      case "call-cancel":
        this.#cancel(reply.call);
    }
  }

  /** The runner is gone. */
  close(): void {
    this.#closed = true;
    this.#checks.close();
    for (const call of this.#open.values()) {
      call.abort.abort(new NereidError("CANCELLED", "the model that called has ended"));
      call.ticket?.cancel();
      call.released?.();
      for (const release of call.answers.values()) release();
      call.answers.clear();
      if (!call.begun) giveBack(call);
    }
    this.#open.clear();
    if (!this.#left) this.#link.calls?.left(this.#link.caller);
    this.#left = true;
  }

  #room(number: number, byteLength: number): void {
    if (!Number.isSafeInteger(byteLength) || byteLength < 0)
      throw new RangeError(`a request for room for call ${number} is malformed`);
    const call = this.#newCall(number);
    if (call === undefined) {
      this.#link.send({ type: "call-refused", call: number, error: callError(tooMany()) });
      return;
    }
    try {
      call.room = this.#link.allocate(byteLength);
    } catch (error) {
      this.#open.delete(number);
      this.#link.send({ type: "call-refused", call: number, error: callError(error) });
      return;
    }
    const { segment, offset } = call.room;
    const arena = { segment, offset, byteLength };
    this.#link.send({ type: "call-place", call: number, arena, ...this.#link.announce([arena]) });
  }

  /** Undefined when too many are open. */
  #newCall(number: number): OpenCall | undefined {
    if (!Number.isSafeInteger(number)) throw new RangeError("a call has no number");
    if (this.#open.has(number)) throw new RangeError(`call ${number} is open already`);
    if (this.#open.size >= MOST_OPEN) return undefined;
    const call: OpenCall = {
      abort: new AbortController(),
      room: undefined,
      begun: false,
      ticket: undefined,
      pins: [],
      answers: new Map(),
      released: undefined,
      over: false,
    };
    this.#open.set(number, call);
    return call;
  }

  #infer(reply: CallInferReply): void {
    const call = this.#open.get(reply.call) ?? this.#newCall(reply.call);
    if (call === undefined) {
      const error = callError(tooMany());
      this.#link.send({ type: "call-answer", call: reply.call, answer: 0, outputs: [], error, final: true });
      return;
    }
    if (call.begun) throw new RangeError(`call ${reply.call} has begun already`);
    const request = this.#read(reply, call);
    call.begun = true;
    void this.#follow(reply.call, call, request);
  }

  /** Throws RangeError for what is no request; what is one and does not fit its model is refused by an answer. */
  #read(reply: CallInferReply, call: OpenCall): ModelCall {
    const { model, version, id, inputs, outputs, sequence } = reply;
    if (typeof model !== "string" || !Array.isArray(inputs) || !Array.isArray(outputs))
      throw new RangeError(`call ${reply.call} is malformed`);
    return {
      model,
      version: version === undefined || version === "" ? undefined : String(version),
      id: String(id ?? ""),
      inputs: inputs.map((ref: TensorRef) => this.#inputOf(ref, call)),
      outputs: outputs.map(String),
      parameters: fromWireParameters(reply.parameters ?? {}),
      sequence: sequence && {
        id: sequence.kind === "number" ? BigInt(sequence.id) : String(sequence.id),
        start: sequence.start === true,
        end: sequence.end === true,
      },
      timeoutMicroseconds: wholeOrZero(reply.timeoutMicroseconds),
      priority: wholeOrZero(reply.priority),
      decoupled: reply.decoupled === true,
    };
  }

  #inputOf(ref: TensorRef, call: OpenCall): CalledInput {
    const { name, datatype, shape, segment, offset, byteLength } = ref;
    const isSize = (value: number) => Number.isSafeInteger(value) && value >= 0;
    if (typeof name !== "string" || !isDatatype(datatype) || !Array.isArray(shape) || !shape.every(isSize))
      throw new RangeError("an input of a call is malformed");
    if (!isSize(offset) || !isSize(byteLength) || offset % Math.max(1, byteSizeOf(datatype)) !== 0)
      throw new RangeError(`input '${name}' of a call has no valid place`);
    if (byteLength === 0) return { name, datatype, shape, bytes: new Uint8Array(), shared: false };
    const { room } = call;
    const inRoom =
      room !== undefined &&
      segment === room.segment &&
      offset >= room.offset &&
      offset + byteLength <= room.offset + room.byteLength;
    if (inRoom) {
      const start = offset - room.offset;
      return { name, datatype, shape, bytes: room.bytes.subarray(start, start + byteLength), shared: false };
    }
    const pin = segmentRegistry.pin(segment);
    if (pin === undefined || offset + byteLength > pin.buffer.byteLength) {
      pin?.release();
      throw new RangeError(`input '${name}' of a call lies in no memory that the model may read`);
    }
    call.pins.push(pin);
    return { name, datatype, shape, bytes: new Uint8Array(pin.buffer, offset, byteLength), shared: true };
  }

  async #follow(number: number, call: OpenCall, request: ModelCall): Promise<void> {
    let serial = 0;
    try {
      const { calls } = this.#link;
      if (calls === undefined) throw new NereidError("UNSUPPORTED", "models cannot call other models here");
      checkModelName(request.model);
      call.ticket = await calls.infer(request, call.abort.signal);
      if (call.abort.signal.aborted) call.ticket.cancel();
      let answer = await call.ticket.answer;
      for (;;) {
        const { next } = answer;
        this.#answer({ number, call, serial: serial++ }, answer);
        if (next === undefined) break;
        while (call.answers.size >= MOST_AHEAD && !call.abort.signal.aborted)
          await new Promise<void>((resolve) => {
            call.released = resolve;
          });
        answer = await next();
      }
    } catch (error) {
      const { signal } = call.abort;
      this.#send({
        type: "call-answer",
        call: number,
        answer: serial,
        outputs: [],
        // A ticket that was cancelled does not say why.
        error: callError(signal.aborted ? signal.reason : error),
        final: true,
      });
    } finally {
      call.over = true;
      giveBack(call);
      this.#forget(number, call);
    }
  }

  #answer(
    at: { readonly number: number; readonly call: OpenCall; readonly serial: number },
    answer: InferAnswer,
  ): void {
    const { number, call, serial } = at;
    const final = answer.next === undefined;
    const copies: SlabBlock[] = [];
    const release = () => {
      answer.release();
      for (const copy of copies) copy.release();
    };
    if (this.#closed) {
      release();
      return;
    }
    try {
      const outputs = answer.response.outputs.map(({ name, datatype, shape, bytes }): TensorRef => {
        if (!isDatatype(datatype)) throw new NereidError("INTERNAL", `output '${name}' has datatype ${datatype}`);
        const about = { name, datatype, shape, byteLength: bytes.byteLength };
        const found = segmentRegistry.locate(bytes);
        if (found !== undefined) return { ...about, ...found };
        const copy = this.#link.allocate(bytes.byteLength);
        copies.push(copy);
        copy.bytes.set(bytes);
        return { ...about, segment: copy.segment, offset: copy.offset };
      });
      const { parameters } = answer.response;
      if (outputs.length === 0) release();
      else call.answers.set(serial, release);
      this.#send({
        type: "call-answer",
        call: number,
        answer: serial,
        outputs,
        ...this.#link.announce(outputs),
        ...(parameters !== undefined && { parameters: toWireParameters(parameters) }),
        final,
      });
    } catch (error) {
      call.answers.delete(serial);
      release();
      call.ticket?.cancel();
      throw error;
    }
  }

  #release(number: number, serial: number): void {
    const call = this.#open.get(number);
    const release = call?.answers.get(serial);
    if (call === undefined || release === undefined)
      throw new RangeError(`answer ${serial} of call ${number} is not there to be released`);
    call.answers.delete(serial);
    release();
    call.released?.();
    this.#forget(number, call);
  }

  #cancel(number: number): void {
    // The call may just be over.
    const call = this.#open.get(number);
    if (call === undefined || call.over) return;
    if (!call.begun) {
      giveBack(call);
      this.#open.delete(number);
      return;
    }
    call.abort.abort(new NereidError("CANCELLED", "the model that called does not wait any more"));
    call.ticket?.cancel();
    call.released?.();
  }

  #forget(number: number, call: OpenCall): void {
    if (call.over && call.answers.size === 0) this.#open.delete(number);
  }

  #send(message: CallRequest): void {
    if (!this.#closed) this.#link.send(message);
  }
}

/** The memory of the call's inputs. */
function giveBack(call: OpenCall): void {
  call.room?.release();
  for (const pin of call.pins.splice(0)) pin.release();
}

function wholeOrZero(value: number | undefined): number {
  return Number.isSafeInteger(value) && value !== undefined && value > 0 ? value : 0;
}

function tooMany(): NereidError {
  return new NereidError(
    "UNAVAILABLE",
    `the instance has ${MOST_OPEN} calls of other models open; wait for some of them before making more`,
  );
}
