import type { ParameterValue } from "@nereid/protocol";
import type { InferTicket } from "../models/infer-ticket.ts";
import type { SequencePlace } from "../request/valid-request.ts";
import type { MetricReply } from "../runner-protocol/call-messages.ts";

/** One input of a call: bytes in shared memory, which stay until the call is over. */
export interface CalledInput {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
  /** The caller may still read them: a model that writes into its inputs needs a copy. */
  readonly shared: boolean;
}

/** A request of one model to another. */
export interface ModelCall {
  readonly model: string;
  /** Undefined: the version that a client gets who names none. */
  readonly version: string | undefined;
  readonly id: string;
  readonly inputs: readonly CalledInput[];
  /** Empty: all. */
  readonly outputs: readonly string[];
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  readonly sequence: SequencePlace | undefined;
  /** 0 = none. */
  readonly timeoutMicroseconds: number;
  /** 0 = the model's default level. */
  readonly priority: number;
  /** Whether the caller takes any number of answers. */
  readonly decoupled: boolean;
}

export interface ManageCall {
  readonly action: "load" | "unload" | "is-ready";
  readonly model: string;
  readonly version: string | undefined;
  readonly config: string | undefined;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly unloadDependents: boolean;
}

/** Who calls: its metrics go when it does. */
export interface Caller {
  readonly model: string;
  readonly instance: number;
  /** Its process: while a model is swapped, two have an instance of this number. */
  readonly pid: number;
}

export type MetricCall = Omit<MetricReply, "type" | "call">;

/** What models may ask of the server that runs them (docs/runner-protocol.md, section 6). */
export interface ModelCalls {
  /** Takes the request into the queue of the other model; throws or rejects as a client's request would be refused. */
  infer(call: ModelCall, signal: AbortSignal): Promise<InferTicket>;
  /** Rejects as the repository API would answer. Resolves with readiness for `is-ready`. */
  manage(call: ManageCall): Promise<boolean | undefined>;
  /** The value after it, undefined for a histogram. Throws INVALID_ARGUMENT for what contradicts the family as it is known. */
  metric(caller: Caller, call: MetricCall): number | undefined;
  /** The caller has ended: metrics that only it had are gone. */
  left(caller: Caller): void;
  log(caller: Caller, level: "ERROR" | "WARNING" | "INFO" | "VERBOSE", message: string): void;
}
