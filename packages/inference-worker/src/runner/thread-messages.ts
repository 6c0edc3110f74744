import type { InstanceDescription, LoadedModel, SessionSettings } from "../runner-protocol/messages.ts";
import type { ModelSignature } from "./instance-service.ts";

/** What the runner's main thread hands to an instance's thread. */
export interface InstanceStart {
  readonly file: string;
  readonly session: SessionSettings;
  readonly socketPath: string;
  readonly index: number;
  readonly model?: LoadedModel;
  readonly instance?: InstanceDescription;
  /** What instance 0 found out; absent for instance 0 itself. */
  readonly signature?: ModelSignature;
}

/** What an instance's thread tells the main thread: one of the first two, and perhaps the third. */
export type ThreadReport =
  | { readonly type: "ready"; readonly signature: ModelSignature }
  | { readonly type: "failed"; readonly message: string }
  | { readonly type: "finished" };

/** What the main thread tells an instance's thread: let the model finish, and report. */
export type ThreadOrder = { readonly type: "finish" };
