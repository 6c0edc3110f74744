import type { ModelTensor, SessionSettings } from "../runner-protocol/messages.ts";

/** What the runner's main thread hands to an instance's thread. */
export interface InstanceStart {
  readonly file: string;
  readonly session: SessionSettings;
  readonly socketPath: string;
  readonly index: number;
}

/** What an instance's thread tells the main thread, once. */
export type ThreadReport =
  | {
      readonly type: "ready";
      readonly index: number;
      readonly inputs: readonly ModelTensor[];
      readonly outputs: readonly ModelTensor[];
    }
  | { readonly type: "failed"; readonly message: string };
