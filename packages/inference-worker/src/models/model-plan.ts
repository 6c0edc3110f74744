import type { Diagnostic, ModelConfig, validateModelConfig } from "@nereid/model-config";
import type { ModelSnapshot } from "@nereid/model-repository";
import type { BackendProgram } from "../backends/backend.ts";
import type { EngineCache } from "../backends/onnxruntime/engine-cache.ts";
import type { LoadMessage } from "../runners/runner-host.ts";
import type { InstanceSpec } from "./model-spec.ts";

/** What is to be loaded for one model: the outcome of reading and checking its files, before any process is started. */
export interface ModelPlan {
  readonly snapshot: ModelSnapshot;
  /** Filled and normalised; auto-completion with the model's own signature comes at load. */
  readonly config: ModelConfig;
  /** For checking the completed configuration: the reader's positions, the devices. */
  readonly validation: Parameters<typeof validateModelConfig>[1];
  readonly versions: readonly VersionPlan[];
  readonly warnings: readonly PlanWarning[];
  /** Ends the load when nobody wants it any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface PlanWarning {
  readonly code: string;
  readonly message: string;
  readonly path?: string;
}

export interface VersionPlan {
  readonly version: string;
  readonly directory: string;
  /** Of the directory, when the plan was made. */
  readonly fingerprint: string;
  /** Same key, same served version: nothing about it changed since it was loaded. */
  readonly key: string;
  readonly work: VersionWork;
  readonly instances: readonly InstanceSpec[];
  readonly executionTimeoutMs: number;
}

/** What serves a version. */
export type VersionWork =
  | {
      readonly kind: "runner";
      readonly load: LoadMessage;
      /** Finds the program to run it with; absent: the server's own runner. */
      readonly processorLimit?: number;
      readonly program?: () => Promise<BackendProgram | undefined>;
      /** Where the version keeps TensorRT engines; they are looked at before it is loaded. */
      readonly engines?: EngineCache;
    }
  /** Its steps are other models of this server. */
  | { readonly kind: "ensemble" };

/** `config.pbtxt:3:5: text`, errors first. */
export function diagnosticText(diagnostic: Diagnostic, file: string): string {
  return `${file}:${diagnostic.line}:${diagnostic.column}: ${diagnostic.message}`;
}
