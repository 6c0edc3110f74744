import type { Datatype, ParameterValue } from "@nereid/protocol";
import type { CallAnswerRequest } from "../../runner-protocol/call-messages.ts";
import type { RequestSequence, TensorRef } from "../../runner-protocol/messages.ts";
import { fromWireParameters, toWireParameters } from "../../runner-protocol/parameters.ts";
import { align, arenaBytes, type BufferOf, type LooseOutput, placeOutputs } from "../place-outputs.ts";
import type { CallClient, InferenceCall } from "./call-client.ts";
import { encodeOutput } from "./encode-output.ts";
import { ScriptTensor } from "./script-tensor.ts";
import type { ScriptOutput } from "./script-types.ts";

/** A request of a script to another model of the server. */
export interface ScriptCall {
  readonly model: string;
  /** Absent: the version that a client gets who names none. */
  readonly version?: string | number;
  readonly id?: string;
  /** Inputs of the script's own request go on without a copy; others are `{ shape, data, datatype? }`. */
  readonly inputs: Readonly<Record<string, ScriptTensor | ScriptOutput>>;
  /** Absent: all. */
  readonly outputs?: readonly string[];
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  readonly sequence?: { readonly id: bigint | number | string; readonly start?: boolean; readonly end?: boolean };
  readonly timeoutMicroseconds?: number;
  readonly priority?: number;
  /** Cancels the request when it is aborted. */
  readonly signal?: AbortSignal;
}

/** One answer of the other model, in memory of the script's own. */
export interface ScriptAnswer {
  readonly outputs: Readonly<Record<string, ScriptTensor>>;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
}

/** What a typed array holds when nobody says it. */
const DATATYPES: ReadonlyMap<unknown, Datatype> = new Map<unknown, Datatype>([
  [Uint8Array, "UINT8"],
  [Uint16Array, "UINT16"],
  [Uint32Array, "UINT32"],
  [BigUint64Array, "UINT64"],
  [Int8Array, "INT8"],
  [Int16Array, "INT16"],
  [Int32Array, "INT32"],
  [BigInt64Array, "INT64"],
  [Float32Array, "FP32"],
  [Float64Array, "FP64"],
]);

/** The requests that scripts make to other models. Methods reject with `ModelCallError`, whose `code` is Triton's error class. */
export class ScriptCalls {
  readonly #client: CallClient;
  readonly #bufferOf: BufferOf;

  constructor(client: CallClient, bufferOf: BufferOf) {
    this.#client = client;
    this.#bufferOf = bufferOf;
  }

  /** The single answer of a model that is not decoupled. */
  async infer(call: ScriptCall): Promise<ScriptAnswer> {
    for await (const answer of this.#answers(call, false)) return answer;
    return { outputs: {}, parameters: {} };
  }

  /** Every answer of any model, in order; leaving the loop cancels what is still to come. */
  stream(call: ScriptCall): AsyncGenerator<ScriptAnswer, void> {
    return this.#answers(call, true);
  }

  async *#answers(call: ScriptCall, decoupled: boolean): AsyncGenerator<ScriptAnswer, void> {
    call.signal?.throwIfAborted();
    const open = await this.#begin(call, decoupled);
    const cancel = () => open.cancel();
    call.signal?.addEventListener("abort", cancel);
    if (call.signal?.aborted === true) cancel();
    try {
      for (;;) {
        const answer = await open.next();
        if (answer === undefined) return;
        const { outputs } = answer;
        if (outputs.length === 0 && answer.parameters === undefined && decoupled && answer.final) return;
        yield this.#take(open, answer);
        if (answer.final) return;
      }
    } finally {
      call.signal?.removeEventListener("abort", cancel);
      cancel();
      void drain(open);
    }
  }

  async #begin(call: ScriptCall, decoupled: boolean): Promise<InferenceCall> {
    if (typeof call.model !== "string" || typeof call.inputs !== "object" || call.inputs === null)
      throw new TypeError("a call needs the name of a model and its inputs by name");
    const given = Object.entries(call.inputs);
    const forwarded = given.flatMap(([name, input]) => {
      const place = input instanceof ScriptTensor ? input.place : undefined;
      return place === undefined ? [] : [{ ...place, name }];
    });
    const loose = given.flatMap(([name, input]) =>
      input instanceof ScriptTensor && input.place !== undefined ? [] : [encoded(name, input)],
    );
    const { call: number, place } = await this.#client.room(align(arenaBytes(loose)));
    const placed =
      place === undefined && loose.length > 0 ? emptyRefs(loose) : placeOutputs(loose, place, this.#bufferOf);
    const { version, id = "", outputs = [], parameters, timeoutMicroseconds, priority } = call;
    return this.#client.infer(number, {
      model: call.model,
      ...(version !== undefined && { version: String(version) }),
      id,
      inputs: [...placed, ...forwarded],
      outputs,
      ...(parameters && { parameters: toWireParameters(new Map(Object.entries(parameters).map(whole))) }),
      ...(call.sequence && { sequence: sequenceOf(call.sequence) }),
      ...(timeoutMicroseconds !== undefined && { timeoutMicroseconds }),
      ...(priority !== undefined && { priority }),
      decoupled,
    });
  }

  /** Copied out of the server's memory: a script may keep it as long as it likes. */
  #take(open: InferenceCall, { answer, outputs, parameters = {} }: CallAnswerRequest): ScriptAnswer {
    try {
      const taken = outputs.map((ref): [string, ScriptTensor] => {
        const { offset, byteLength } = ref;
        const bytes = this.#bufferOf(ref.segment).slice(offset, offset + byteLength);
        return [ref.name, new ScriptTensor({ ...ref, offset: 0 }, bytes, false)];
      });
      return { outputs: Object.fromEntries(taken), parameters: Object.fromEntries(fromWireParameters(parameters)) };
    } finally {
      if (outputs.length > 0) open.release(answer);
    }
  }
}

/** Answers that still come for a call that nobody listens to are given back. */
async function drain(open: InferenceCall): Promise<void> {
  try {
    for (;;) {
      const answer = await open.next();
      if (answer === undefined) return;
      if (answer.outputs.length > 0) open.release(answer.answer);
    }
  } catch {
    // The error ends the call too.
  }
}

function encoded(name: string, input: ScriptTensor | ScriptOutput): LooseOutput {
  if (input instanceof ScriptTensor)
    return { kind: "loose", name, datatype: input.datatype, shape: input.shape, bytes: input.bytes };
  const known = ArrayBuffer.isView(input?.data) ? DATATYPES.get(input.data.constructor) : undefined;
  try {
    return encodeOutput(name, input, input?.datatype === undefined ? known : undefined);
  } catch (error) {
    const text = error instanceof Error ? error.message.replace(/^output/, "input") : String(error);
    throw new TypeError(text.replace("is not in the model's configuration; give its datatype", "needs a datatype"));
  }
}

/** Tensors without bytes need no memory, and lie nowhere. */
function emptyRefs(loose: readonly LooseOutput[]): TensorRef[] {
  return loose.map(({ name, datatype, shape }) => ({ name, datatype, shape, segment: 0, offset: 0, byteLength: 0 }));
}

function whole([name, value]: readonly [string, ParameterValue]): [string, ParameterValue] {
  return [name, typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value];
}

function sequenceOf({ id, start = false, end = false }: NonNullable<ScriptCall["sequence"]>): RequestSequence {
  return { id: String(id), kind: typeof id === "string" ? "text" : "number", start, end };
}
