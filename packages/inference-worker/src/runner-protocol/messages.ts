import type { Datatype } from "@nereid/protocol";

/** Version of the runner protocol; docs/runner-protocol.md describes every message. */
export const RUNNER_PROTOCOL = 1;

/** Where a tensor lies: segment id, byte offset and length in the shared memory of this runner. */
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
  readonly name: "cpu" | "cuda" | "tensorrt" | "webgpu";
  readonly deviceId?: number;
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
    }
  | { readonly type: "start-instances"; readonly count: number }
  /** Instances from index `count` on are no longer wanted; their connections are closed next. */
  | { readonly type: "stop-instances"; readonly count: number }
  | { readonly type: "ping"; readonly sequence: number }
  | { readonly type: "shutdown" };

/** Runner to server, on the control connection. */
export type ControlReply =
  | { readonly type: "hello"; readonly role: "control"; readonly protocol: number; readonly pid: number }
  | { readonly type: "loaded"; readonly inputs: readonly ModelTensor[]; readonly outputs: readonly ModelTensor[] }
  | { readonly type: "started"; readonly count: number }
  | { readonly type: "pong"; readonly sequence: number }
  | { readonly type: "failed"; readonly stage: "load" | "start-instances"; readonly message: string };

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

/** Server to runner, on an instance's connection. Executions are answered one after the other, in the order they came. */
export type InstanceRequest = ExecuteRequest | CollectRequest | DiscardRequest;

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
  /** The outputs need `byteLength` bytes, more than the arena has; the runner keeps them until `collect`. */
  | { readonly type: "overflow"; readonly id: number; readonly byteLength: number }
  | {
      readonly type: "failed";
      readonly id: number;
      readonly code: "INTERNAL" | "INVALID_ARGUMENT";
      readonly message: string;
    };
