import type { ModelWarning, TrialReport } from "@nereid/client";
import type { Gpu } from "@nereid/model-config";
import type { ExtractionLimits, LocalRepository } from "@nereid/model-repository";

/** What the drafts need of the rest of the server. */
export interface DraftDeps {
  readonly repository: LocalRepository;
  readonly clock: { wallMs(): number };
  /** Loads a version in a throw-away process. Does not throw for what the model does. */
  readonly trial: (subject: {
    readonly modelDirectory: string;
    readonly name: string;
    readonly version: string;
  }) => Promise<TrialReport>;
  /** Loads a model that was published. */
  readonly load: (model: string) => Promise<{ readonly warnings: readonly ModelWarning[] }>;
  readonly log: { warn(details: object, message: string): void };
  readonly gpus: readonly Gpu[];
  readonly cudaBuild: boolean;
  /** Batch size that a model gets whose configuration gives no inputs and outputs; 4 as the loader has it. */
  readonly defaultMaxBatchSize?: number;
  /** Most bytes of one uploaded file; default 64 GiB. */
  readonly mostUploadBytes?: number;
  readonly extraction?: ExtractionLimits;
}
