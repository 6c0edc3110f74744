import type { NereidError } from "@nereid/errors";
import type { ParameterValue } from "@nereid/protocol";
import type { TensorRef } from "../runner-protocol/messages.ts";
import type { SlabBlock } from "../shm/slab.ts";

/** A batch for an instance that sees single requests. */
export interface RequestsExecution {
  readonly requests: readonly RequestToExecute[];
  /** Any number of responses for each request, also after the execution is over; otherwise exactly one. */
  readonly decoupled: boolean;
  /** Room for the responses. The execution owns it from now on and releases it with the last response that lies in it. */
  readonly arena: SlabBlock | undefined;
}

export interface RequestToExecute {
  /** The client's text; may be empty. */
  readonly id: string;
  /** Their memory must stay until the request's final response. */
  readonly inputs: readonly TensorRef[];
  /** Names of the wanted outputs. */
  readonly outputs: readonly string[];
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  readonly sequence: { readonly id: bigint | string; readonly start: boolean; readonly end: boolean } | undefined;
  /** 0 = none. */
  readonly timeoutMicroseconds: number;
  /** 0 = the model's default level. */
  readonly priority: number;
}

export interface ResponseTensor {
  readonly ref: TensorRef;
  /** View on shared memory; invalid once the response is released. */
  readonly bytes: Uint8Array;
}

export interface RunnerResponse {
  readonly outputs: readonly ResponseTensor[];
  readonly parameters?: ReadonlyMap<string, ParameterValue>;
  readonly error?: NereidError;
  /** No further response comes for this request. */
  readonly final: boolean;
  /** The request is to be executed again; always final too. */
  readonly reschedule: boolean;
  /** Gives the memory of this response back, and with it room for further ones. Calling it again does nothing. */
  release(): void;
}

/** Monotonic nanoseconds just before and just after the model ran. */
export interface ExecutionTimes {
  readonly inferStartNs: number;
  readonly inferEndNs: number;
}

/** Called as replies arrive; must not throw. Each request gets exactly one final response, whatever happens. */
export interface ResponseSink {
  response(index: number, response: RunnerResponse): void;
  /** Like the ticket's promise, but in order with the responses: before the first that follows. Not called on failure. */
  returned?(times: ExecutionTimes): void;
}

export interface RequestsTicket {
  /**
   * The instance is free for the next batch. Every response of a model that is not decoupled comes before. Rejects when the
   * execution failed as a whole or the runner is gone; need not be awaited.
   */
  readonly returned: Promise<ExecutionTimes>;
  /** Nobody waits for this request: the model is told, and what it still asks room for is dropped. Its final response comes. */
  cancel(index: number): void;
}
