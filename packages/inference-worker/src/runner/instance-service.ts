import type { ControlReply, InstanceReply, InstanceRequest } from "../runner-protocol/messages.ts";

/** What a loaded model says of itself. */
export type ModelSignature = Omit<Extract<ControlReply, { type: "loaded" }>, "type">;

/** A loaded model behind an instance's connection, whatever computes it. */
export interface InstanceService {
  readonly signature: ModelSignature;
  /** The model may hold its thread, with timers for instance: the thread is ended and not left to end. */
  readonly lingers?: boolean;
  /** The connection is up: `send` answers, the returned function takes what arrives. */
  open(send: (reply: InstanceReply) => void): (request: InstanceRequest) => void;
  /** Nothing more is wanted of this instance. */
  close(): Promise<void>;
}
