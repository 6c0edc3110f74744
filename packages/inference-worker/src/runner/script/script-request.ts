import type { RequestPart } from "../../runner-protocol/messages.ts";
import { fromWireParameters } from "../../runner-protocol/parameters.ts";
import type { BufferOf } from "../place-outputs.ts";
import type { Responder } from "./responder.ts";
import { ScriptTensor } from "./script-tensor.ts";
import type { ScriptResponse } from "./script-types.ts";

/** A request as a script sees it. */
export class ScriptRequest {
  /** The client's; empty when it gave none. */
  readonly id: string;
  readonly inputs: Readonly<Record<string, ScriptTensor>>;
  readonly requestedOutputs: readonly string[];
  /** Whole numbers that a number cannot hold are bigint. */
  readonly parameters: Readonly<Record<string, string | number | bigint | boolean>>;
  /** Numeric ids are bigint, texts are texts. */
  readonly sequence: { readonly id: bigint | string; readonly start: boolean; readonly end: boolean } | undefined;
  /** 0 = none. */
  readonly timeoutMicroseconds: number;
  readonly priority: number;
  readonly #responder: Responder;

  constructor(part: RequestPart, responder: Responder, bufferOf: BufferOf) {
    this.id = part.id;
    this.inputs = Object.fromEntries(
      part.inputs.map((ref) => [ref.name, new ScriptTensor(ref, bufferOf(ref.segment))]),
    );
    this.requestedOutputs = part.outputs;
    this.parameters = Object.fromEntries(
      Array.from(fromWireParameters(part.parameters), ([name, value]) => [name, handy(value)]),
    );
    const { sequence } = part;
    this.sequence = sequence && {
      id: sequence.kind === "number" ? BigInt(sequence.id) : sequence.id,
      start: sequence.start,
      end: sequence.end,
    };
    this.timeoutMicroseconds = part.timeoutMicroseconds;
    this.priority = part.priority;
    this.#responder = responder;
  }

  /** Aborted when nobody waits for the request any more. */
  get signal(): AbortSignal {
    return this.#responder.signal;
  }

  /** Undefined when the client left the input out. */
  input(name: string): ScriptTensor | undefined {
    return Object.hasOwn(this.inputs, name) ? this.inputs[name] : undefined;
  }

  /**
   * Sends a response; its data must stay as they are until the promise resolves, which is when there was room for them: true, or
   * false when nobody wants them. Rejects after the final response. A model that is not decoupled sends once at most, and its
   * response leaves when `execute` is over.
   */
  send(response: ScriptResponse, options: { readonly final?: boolean } = {}): Promise<boolean> {
    return this.#responder.send(response, options.final === true);
  }

  /** No response will follow. */
  end(): void {
    this.#responder.end();
  }

  /** Gives the request back to be executed again, in place of a final response (iterative sequences). */
  reschedule(): void {
    this.#responder.reschedule();
  }
}

function handy(value: string | number | bigint | boolean): string | number | bigint | boolean {
  return typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
