import type { RequestSequence, SegmentInfo, TensorPlace, TensorRef } from "./messages.ts";
import type { WireParameters } from "./parameters.ts";

/** A call is known by a number of the runner's choice, unique among the open calls of its connection. */
interface OfCall {
  readonly call: number;
}

/** An error as Triton's classes name it; an unknown code counts as INTERNAL. */
export interface CallError {
  readonly code: string;
  readonly message: string;
}

/** Room for the inputs of a call; answered by `call-place` or `call-refused`. */
export interface CallRoomReply extends OfCall {
  readonly type: "call-room";
  readonly byteLength: number;
}

/** A request to another model of this server. */
export interface CallInferReply extends OfCall {
  readonly type: "call-infer";
  readonly model: string;
  /** Absent or empty: the version that a client gets who names none. */
  readonly version?: string;
  readonly id: string;
  /** In the room of this call, among the inputs of an open request, or among the outputs of an unreleased answer. */
  readonly inputs: readonly TensorRef[];
  /** Empty: all. */
  readonly outputs: readonly string[];
  readonly parameters?: WireParameters;
  readonly sequence?: RequestSequence;
  readonly timeoutMicroseconds?: number;
  readonly priority?: number;
  /** Whether the runner can take any number of answers. */
  readonly decoupled: boolean;
}

/** The memory of one answer is no longer looked at. */
export interface CallReleaseReply extends OfCall {
  readonly type: "call-release";
  readonly answer: number;
}

/** Nobody waits for the answers of this call any more; its last answer still comes. */
export interface CallCancelReply extends OfCall {
  readonly type: "call-cancel";
}

/** Asks for something that is no inference; answered by `call-done`. */
export interface CallManageReply extends OfCall {
  readonly type: "call-manage";
  readonly action: "load" | "unload" | "is-ready";
  readonly model: string;
  readonly version?: string;
  /** Of a load: a configuration as JSON, and files as base64 by their path in the model's directory. */
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly unloadDependents?: boolean;
}

/** A line for the server's log. */
export interface LogReply {
  readonly type: "log";
  readonly level: "ERROR" | "WARNING" | "INFO" | "VERBOSE";
  readonly message: string;
}

export type MetricKind = "COUNTER" | "GAUGE" | "HISTOGRAM";

/** A metric of the model's own. The same family and labels from several instances are one metric. */
export interface MetricReply extends OfCall {
  readonly type: "metric";
  readonly family: string;
  readonly description: string;
  readonly kind: MetricKind;
  readonly labels: Readonly<Record<string, string>>;
  /** Upper bounds of a histogram, ascending. */
  readonly buckets?: readonly number[];
  /** "declare" makes family and metric known with value 0; "value" only reads; "remove" takes the metric away. */
  readonly action: "declare" | "increment" | "set" | "observe" | "value" | "remove";
  readonly amount?: number;
}

/** Answers `check-readiness`. */
export interface ReadinessReply {
  readonly type: "readiness";
  readonly check: number;
  readonly ready: boolean;
  /** Why not, for people. */
  readonly message?: string;
}

/** Runner to server, on an instance's connection, besides the answers to executions. */
export type CallReply =
  | CallRoomReply
  | CallInferReply
  | CallReleaseReply
  | CallCancelReply
  | CallManageReply
  | LogReply
  | MetricReply
  | ReadinessReply;

export interface CallPlaceRequest extends OfCall {
  readonly type: "call-place";
  readonly arena: TensorPlace;
  readonly segments?: readonly SegmentInfo[];
}

/** There is no memory for the room; the call is over. */
export interface CallRefusedRequest extends OfCall {
  readonly type: "call-refused";
  readonly error: CallError;
}

/** One answer of a call. Tensors lie in shared memory until the answer is released. */
export interface CallAnswerRequest extends OfCall {
  readonly type: "call-answer";
  /** Serial of the answer within its call, from 0. */
  readonly answer: number;
  readonly outputs: readonly TensorRef[];
  readonly segments?: readonly SegmentInfo[];
  readonly parameters?: WireParameters;
  readonly error?: CallError;
  /** No further answer comes; it may have no outputs. */
  readonly final: boolean;
}

/** The end of `call-manage` and of `metric`. */
export interface CallDoneRequest extends OfCall {
  readonly type: "call-done";
  readonly ready?: boolean;
  /** Of a metric that is no histogram. */
  readonly value?: number;
  readonly error?: CallError;
}

/** Asks the instance whether it could take a request now. */
export interface CheckReadinessRequest {
  readonly type: "check-readiness";
  readonly check: number;
}

/** Server to runner, on an instance's connection, besides executions. */
export type CallRequest =
  | CallPlaceRequest
  | CallRefusedRequest
  | CallAnswerRequest
  | CallDoneRequest
  | CheckReadinessRequest;
