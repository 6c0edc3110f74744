import type { ModelCalls } from "../calls/model-calls.ts";
import type {
  ConfigPatch,
  ControlReply,
  ControlRequest,
  ExecutionStyle,
  ModelTensor,
} from "../runner-protocol/messages.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Clock } from "../time/clock.ts";

/** A program that speaks the runner protocol (docs/runner-protocol.md), and its arguments. */
export interface RunnerCommand {
  readonly program: string;
  readonly args: readonly string[];
}

export interface RunnerHost {
  readonly command: RunnerCommand;
  /** Variables of the process besides those that every runner gets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly sandbox?: Sandbox;
  /** Processors that the runner may use, at most. */
  readonly processorLimit?: number;
  /** Private directory for sockets. */
  readonly socketDirectory: string;
  /** Directory for tensor segments, on a memory file system where there is one. */
  readonly shmDirectory: string;
  readonly clock: Clock;
  /** Keeps a process that loads out of the way of those that serve; gives back what it took when called. */
  readonly lowerWhileLoading?: (pid: number, isConnected: () => boolean) => () => void;
  /** A load that takes longer ends the runner; default 15 minutes. */
  readonly loadWithinMs?: number;
  readonly log: (line: string, context: { readonly runner: string }) => void;
  /** What models may ask of the server; absent: nothing. */
  readonly calls?: ModelCalls;
}

export type LoadMessage = Omit<Extract<ControlRequest, { type: "load" }>, "type">;

/** What the model says of itself. With style "requests" dims are without the batch dimension and may be absent altogether. */
export interface RunnerSignature {
  readonly inputs: readonly ModelTensor[];
  readonly outputs: readonly ModelTensor[];
  readonly execution: ExecutionStyle;
  /** The model tells of its readiness when asked. */
  readonly readiness?: true;
  /** The runner can end and begin one instance alone. */
  readonly restartsInstances?: true;
  /** What the model fills in where the configuration is silent. */
  readonly config?: ConfigPatch;
}

/** What `loaded` says. */
export function signatureOf({
  inputs,
  outputs,
  execution,
  readiness,
  restarts,
  config,
}: Extract<ControlReply, { type: "loaded" }>): RunnerSignature {
  const style: ExecutionStyle = execution === "requests" ? "requests" : "batch";
  return {
    inputs,
    outputs,
    execution: style,
    ...(readiness === true && { readiness }),
    ...(restarts === true && { restartsInstances: restarts }),
    ...(config && { config }),
  };
}
