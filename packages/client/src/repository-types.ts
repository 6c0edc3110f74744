/** Wire types of the data plane's repository API (`/nereid/v1/…`): uploads, drafts, configurations and versions. JSON; bytes are numbers. */
import type { ModelWarning } from "./management-types.ts";

/** A tensor of a model's graph; a string dimension is symbolic, -1 is unnamed and free. */
export interface GraphTensor {
  readonly name: string;
  readonly datatype: string;
  readonly dims: readonly (number | string)[];
}

/** What a model file says of itself. */
export interface GraphSummary {
  readonly inputs: readonly GraphTensor[];
  readonly outputs: readonly GraphTensor[];
  /** Operator-set version by domain; the default domain is "". */
  readonly opset: Readonly<Record<string, number>>;
  readonly producer: string;
  /** Files beside the model that its weights lie in, as paths relative to the model file. */
  readonly externalData: readonly string[];
  /** Number of nodes of the top graph by operator type. */
  readonly operators: Readonly<Record<string, number>>;
}

/** A finding about a configuration text; the same shape as model-config's Diagnostic. */
export interface ConfigDiagnostic {
  readonly severity: "error" | "warning" | "info";
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly help?: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly offset: number;
  readonly endOffset: number;
  readonly fix?: {
    readonly title: string;
    readonly edits: readonly { readonly offset: number; readonly endOffset: number; readonly text: string }[];
  };
}

/** What applying a configuration would do to the running model. */
export interface ConfigChange {
  /** `none`: nothing that is served changes; `in-place`: instance counts change while it serves; `reload`: new runners, then a swap. */
  readonly kind: "none" | "in-place" | "reload" | "not-loaded";
  /** Paths of the effective fields that differ, e.g. `instance_group[0].count`. */
  readonly fields: readonly string[];
}

export interface ModelConfigState {
  readonly text: string;
  /** SHA-256 (hex) of the text; empty when the model has no configuration file. */
  readonly digest: string;
  readonly exists: boolean;
  /** The completed configuration that is served, printed; null while nothing is. */
  readonly effective: string | null;
  /** Signature of the newest version's model file; null when it cannot be read. */
  readonly graph: GraphSummary | null;
}

export interface ConfigCheck {
  readonly diagnostics: readonly ConfigDiagnostic[];
  /** The configuration completed from the graph, printed; null when it has errors. */
  readonly effective: string | null;
  readonly change: ConfigChange;
}

export interface ApplyConfig {
  readonly text: string;
  /** Digest of the text that the editor started from; another one on disk answers CONFLICT. */
  readonly ifDigest: string;
}

export interface ConfigApplied {
  readonly digest: string;
  readonly change: ConfigChange;
  readonly warnings: readonly ModelWarning[];
}

export interface RepositoryFile {
  /** Relative to the version's or draft's directory, with forward slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A version directory as it lies on disk. */
export interface VersionFiles {
  readonly version: string;
  /** SHA-256 over the paths and hashes of its files. */
  readonly digest: string;
  readonly bytes: number;
  readonly createdAtMs: number;
  readonly files: readonly RepositoryFile[];
  readonly graph: GraphSummary | null;
}

export interface DraftUpload {
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
  readonly receivedBytes: number;
  readonly sha256: string | null;
}

export interface DraftFinding {
  readonly severity: "error" | "warning" | "info";
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
}

export interface TrialInference {
  readonly input: "zeros" | "random";
  readonly ok: boolean;
  readonly milliseconds: number;
  readonly outputs: readonly {
    readonly name: string;
    readonly datatype: string;
    readonly shape: readonly number[];
    /** False when an output holds NaN or infinity. */
    readonly finite: boolean;
  }[];
  readonly error: string | null;
}

/** A load in a throw-away process, before anything is published. */
export interface TrialReport {
  readonly outcome: "passed" | "failed" | "skipped";
  readonly reason: string;
  readonly loadSeconds: number | null;
  readonly rssBytes: number | null;
  readonly inferences: readonly TrialInference[];
}

export interface DraftReport {
  readonly model: string;
  readonly version: string;
  readonly newModel: boolean;
  readonly files: readonly RepositoryFile[];
  readonly digest: string;
  /** Version that holds the same files already. */
  readonly duplicateOf: string | null;
  readonly graph: GraphSummary | null;
  readonly config: {
    /** What will be written; the text of the draft, of the upload, of the existing model, or a proposal, in that order. */
    readonly text: string;
    readonly source: "draft" | "upload" | "existing" | "proposed";
    /** The file as it is now; null for a new model. */
    readonly before: string | null;
    readonly beforeDigest: string;
    readonly diagnostics: readonly ConfigDiagnostic[];
  };
  readonly trial: TrialReport;
  readonly findings: readonly DraftFinding[];
}

export type DraftState = "open" | "checking" | "ready" | "refused" | "publishing" | "published";

/** Files on their way into the repository. Nothing of a draft is visible to the repository before it is published. */
export interface Draft {
  readonly id: string;
  readonly createdAtMs: number;
  /** Shown to people; given by whoever opened the draft. */
  readonly author: string;
  readonly state: DraftState;
  /** Name and version wanted; null = from the upload's name, and the next free number. */
  readonly model: string | null;
  readonly version: string | null;
  /** Configuration text to publish instead of the proposed one; null = as the report says. */
  readonly configText: string | null;
  readonly uploads: readonly DraftUpload[];
  /** What is being done, while checking or publishing. */
  readonly step: string;
  readonly report: DraftReport | null;
  /** Why the draft was refused or could not be published. */
  readonly problem: { readonly message: string; readonly fix?: string } | null;
}

export interface NewDraft {
  readonly author: string;
  readonly model?: string | null;
  readonly version?: string | null;
}

export interface DraftPatch {
  readonly model?: string | null;
  readonly version?: string | null;
  readonly configText?: string | null;
}

export interface PublishDraft {
  /** Load the model afterwards; the versions its policy selects are then served. */
  readonly load: boolean;
}

export interface PublishedDraft {
  readonly model: string;
  readonly version: string;
  readonly digest: string;
  readonly configDigest: string;
  /** Whether the model was loaded; `loadError` says why not when it was asked for. */
  readonly loaded: boolean;
  readonly loadError: string | null;
  readonly warnings: readonly ModelWarning[];
}
