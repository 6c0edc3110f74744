import type { Datatype } from "@nereid/protocol";
import type {
  CallDoneRequest,
  CallManageReply,
  CallReply,
  CallRequest,
  LogReply,
  MetricReply,
} from "./call-messages.ts";
import type { WireParameters } from "./parameters.ts";

/** Version of the runner protocol; docs/runner-protocol.md describes every message. */
export const RUNNER_PROTOCOL = 1;

/** Where a tensor lies: segment id, byte offset and length in shared memory. */
export interface TensorPlace {
  readonly segment: number;
  readonly offset: number;
  readonly byteLength: number;
}

export interface TensorRef extends TensorPlace {
  readonly name: string;
  readonly datatype: Datatype;
  readonly shape: readonly number[];
}

export interface SegmentInfo {
  readonly id: number;
  readonly path: string;
  readonly byteLength: number;
}

/** A tensor of the model's own signature; a string dimension is symbolic, -1 is unnamed and free. */
export interface ModelTensor {
  readonly name: string;
  readonly datatype: Datatype;
  readonly dims: readonly (number | string)[];
  /** Of an input that requests may leave out. */
  readonly optional?: boolean;
}

/** What a backend wants to be sent: whole batches as one tensor an input (`execute`), or single requests (`execute-requests`). */
export type ExecutionStyle = "batch" | "requests";

/** What a model says of itself where its configuration is silent. */
export interface ConfigPatch {
  readonly maxBatchSize?: number;
  readonly decoupled?: boolean;
  readonly dynamicBatching?: boolean;
}

export interface InstanceDescription {
  readonly name: string;
  /** "KIND_CPU", "KIND_GPU", "KIND_MODEL". */
  readonly kind: string;
  readonly device: number | null;
  /** The engine's profile of this instance is to be written to a file beginning so, when the instance is taken away. */
  readonly profile?: string;
}

/** The model as its repository and its configuration describe it. */
export interface LoadedModel {
  readonly name: string;
  readonly version: string;
  /** The model's own directory, which holds the version directories. */
  readonly directory: string;
  /** The configuration as Triton's JSON. */
  readonly config: string;
  /** By index; instances beyond are named after the model. */
  readonly instances: readonly InstanceDescription[];
  /** Whether the model may complete its configuration; absent = it may. */
  readonly autoComplete?: boolean;
}

export interface SessionSettings {
  readonly executionProviders: readonly ExecutionProvider[];
  readonly intraOpThreads: number;
  readonly interOpThreads: number;
  readonly arena: boolean;
  readonly memoryPattern: boolean;
  readonly graphOptimization: "disabled" | "basic" | "extended" | "all";
  /** Free-form session entries of the engine, such as those of Triton's onnxruntime backend parameters. */
  readonly extra: Readonly<Record<string, string>>;
}

export interface ExecutionProvider {
  readonly name: "cpu" | "cuda" | "tensorrt" | "webgpu" | "openvino";
  readonly deviceId?: number;
  /** By the engine's own names. */
  readonly options?: Readonly<Record<string, string>>;
}

/** Server to runner, on the control connection. */
export type ControlRequest =
  | {
      readonly type: "load";
      readonly file: string;
      readonly session: SessionSettings;
      /** Device of each instance by index; absent or null = the session's own. */
      readonly devices: readonly (number | null)[];
      readonly memoryLimitBytes: number;
      /** Absent = "onnxruntime". */
      readonly backend?: string;
      readonly model?: LoadedModel;
    }
  /** With `instances`: all of them by index, in place of those of `load`. */
  | {
      readonly type: "start-instances";
      readonly count: number;
      readonly instances?: readonly InstanceDescription[];
    }
  /** Instances from index `count` on are no longer wanted; their connections are closed next. */
  | { readonly type: "stop-instances"; readonly count: number }
  /** Only to a runner whose `loaded` said `restarts`: this one is to be ended, its connection is closed next, and begun again. */
  | { readonly type: "restart-instance"; readonly index: number }
  | { readonly type: "ping"; readonly sequence: number }
  | { readonly type: "shutdown" }
  /** Answers a `metric` or a `call-manage`. */
  | CallDoneRequest;

/** Runner to server, on the control connection. */
export type ControlReply =
  | { readonly type: "hello"; readonly role: "control"; readonly protocol: number; readonly pid: number }
  | {
      readonly type: "loaded";
      /** With execution style "requests" as the configuration writes them: dims without the batch dimension, or none declared. */
      readonly inputs: readonly ModelTensor[];
      readonly outputs: readonly ModelTensor[];
      /** Absent = "batch". */
      readonly execution?: ExecutionStyle;
      /** Whether its instances answer `check-readiness`. */
      readonly readiness?: boolean;
      /** Whether it takes `restart-instance`. */
      readonly restarts?: boolean;
      readonly config?: ConfigPatch;
    }
  | { readonly type: "started"; readonly count: number }
  | { readonly type: "pong"; readonly sequence: number }
  | { readonly type: "failed"; readonly stage: "load" | "start-instances"; readonly message: string }
  /** The runner cannot go on and ends; the server takes the message as the reason. */
  | { readonly type: "fatal"; readonly message: string }
  | LogReply
  | MetricReply
  | CallManageReply;

export interface ExecuteRequest {
  readonly type: "execute";
  readonly id: number;
  /** Segments this instance has not seen yet. */
  readonly segments?: readonly SegmentInfo[];
  /** Segments that will not be used again. */
  readonly forget?: readonly number[];
  readonly inputs: readonly TensorRef[];
  readonly outputs: readonly OutputRequest[];
  /** Room for the outputs whose place is not given; filled from its start. */
  readonly arena?: TensorPlace;
}

/** With a place: the server knows shape and type, and the engine writes there. Without: the runner reports them. */
export interface OutputRequest {
  readonly name: string;
  readonly place?: TensorRef;
}

export interface CollectRequest {
  readonly type: "collect";
  readonly id: number;
  readonly segments?: readonly SegmentInfo[];
  readonly arena: TensorPlace;
}

/** There is no room for the outputs of an execution that overflowed: forget them. */
export interface DiscardRequest {
  readonly type: "discard";
  readonly id: number;
}

/** One request of an execution in the style "requests". */
export interface RequestPart {
  /** The client's text; may be empty. */
  readonly id: string;
  readonly inputs: readonly TensorRef[];
  /** Names of the wanted outputs. */
  readonly outputs: readonly string[];
  readonly parameters: WireParameters;
  readonly sequence?: RequestSequence;
  /** 0 = none. */
  readonly timeoutMicroseconds: number;
  /** 0 = the model's default level. */
  readonly priority: number;
}

/** A sequence id is a text or a number up to 2^64 - 1, which is written as text too. */
export interface RequestSequence {
  readonly id: string;
  readonly kind: "number" | "text";
  readonly start: boolean;
  readonly end: boolean;
}

export interface ExecuteRequestsRequest {
  readonly type: "execute-requests";
  readonly id: number;
  readonly segments?: readonly SegmentInfo[];
  readonly forget?: readonly number[];
  readonly requests: readonly RequestPart[];
  /** Any number of responses for each request, at any time; otherwise exactly one. */
  readonly decoupled: boolean;
  /** Room for the responses, filled from its start. */
  readonly arena?: TensorPlace;
}

/** Names a response that asked for room: execution, index of the request, serial of the response. */
export interface ResponseKey {
  readonly id: number;
  readonly request: number;
  readonly response: number;
}

export interface PlaceRequest extends ResponseKey {
  readonly type: "place";
  readonly segments?: readonly SegmentInfo[];
  readonly arena: TensorPlace;
}

/** Nobody wants the response that asked for room, or there is none. */
export interface DropRequest extends ResponseKey {
  readonly type: "drop";
}

/** Nobody waits for this request any more. */
export interface CancelRequest {
  readonly type: "cancel";
  readonly id: number;
  readonly request: number;
}

/** Server to runner, on the connection of an instance with execution style "batch". */
export type BatchRequest = ExecuteRequest | CollectRequest | DiscardRequest;

/** Server to runner, on the connection of an instance with execution style "requests". */
export type RequestsRequest = ExecuteRequestsRequest | PlaceRequest | DropRequest | CancelRequest;

/** Server to runner, on an instance's connection. Executions run one after the other, in the order they came. */
export type InstanceRequest = BatchRequest | RequestsRequest | CallRequest;

/** Runner to server, on an instance's connection. Times are CLOCK_MONOTONIC nanoseconds. */
export type InstanceReply =
  | { readonly type: "hello"; readonly role: "instance"; readonly protocol: number; readonly index: number }
  | {
      readonly type: "executed";
      readonly id: number;
      readonly inferStartNs: number;
      readonly inferEndNs: number;
      readonly outputs: readonly TensorRef[];
    }
  | RoomReply
  | RespondReply
  | CallReply
  /** An execution of requests is over and the instance takes the next; responses of a decoupled model may follow. */
  | {
      readonly type: "returned";
      readonly id: number;
      readonly inferStartNs: number;
      readonly inferEndNs: number;
    }
  /** The outputs need `byteLength` bytes, more than the arena has; the runner keeps them until `collect`. */
  | { readonly type: "overflow"; readonly id: number; readonly byteLength: number }
  | {
      readonly type: "failed";
      readonly id: number;
      readonly code: "INTERNAL" | "INVALID_ARGUMENT";
      readonly message: string;
    };

/** A response needs room; answered by `place` or `drop`. */
export interface RoomReply extends ResponseKey {
  readonly type: "room";
  readonly byteLength: number;
}

export interface RespondReply {
  readonly type: "respond";
  readonly id: number;
  readonly request: number;
  /** Serial of the room its outputs lie in; absent: they lie in the arena. */
  readonly response?: number;
  readonly outputs: readonly TensorRef[];
  readonly parameters?: WireParameters;
  /** `code` is an error class of Triton's; an unknown one counts as INTERNAL. */
  readonly error?: { readonly code: string; readonly message: string };
  /** No further response comes for this request. */
  readonly final: boolean;
  /** With `final`: the request is to be executed again (iterative sequences). */
  readonly reschedule?: boolean;
}
