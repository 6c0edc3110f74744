import type { ModelConfig } from "@nereid/model-config";
import type { GpuSupport } from "../devices/detect-gpus.ts";
import type { InstanceSpec } from "../models/model-spec.ts";
import type { SessionSettings } from "../runner-protocol/messages.ts";
import type { RunnerCommand } from "../runners/runner-host.ts";

/** A version of a model that is to be loaded, as its backend sees it. */
export interface BackendSubject {
  readonly config: ModelConfig;
  readonly version: string;
  /** The model's own directory, above the version's. */
  readonly modelDirectory: string;
  readonly versionDirectory: string;
  /** The model file, or directory, within the version directory. */
  readonly file: string;
  readonly instances: readonly InstanceSpec[];
}

/** What a backend makes of a configuration before anything runs. */
export interface SessionPlan {
  readonly session: Pick<SessionSettings, "executionProviders" | "graphOptimization" | "extra">;
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly path?: string }[];
}

/** How the process for a model is started, where it is not the server's own runner. */
export interface BackendProgram {
  readonly command: RunnerCommand;
  /** Variables of the process besides those that every runner gets. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A kind of model that this server runs: the files it takes, what it reads of a configuration, and the process that runs it. */
export interface Backend {
  readonly name: string;
  /** Names of model files, the preferred one first, for configurations that name none. */
  readonly modelFiles: readonly string[];
  /** The model may be a directory, such as `model.savedmodel`. */
  readonly takesDirectory?: boolean;
  /** Keys of the configuration's `parameters` that it reads; absent: it, or the model, may read any. */
  readonly parameters?: ReadonlySet<string>;
  /** Execution providers and session entries of a configuration. INVALID_ARGUMENT where it cannot be honoured. */
  readonly planSession?: (config: ModelConfig, at: SessionContext) => SessionPlan;
  /**
   * The program that runs the model, found and checked now. INVALID_ARGUMENT or UNAVAILABLE, with the line that installs what is
   * missing. Absent or undefined: the server's own runner.
   */
  readonly program?: (subject: BackendSubject) => Promise<BackendProgram | undefined>;
}

export interface SessionContext {
  readonly gpus: GpuSupport;
  readonly instances: readonly InstanceSpec[];
}

export type Backends = ReadonlyMap<string, Backend>;
