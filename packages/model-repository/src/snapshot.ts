/** A version directory of a model. */
export interface VersionSnapshot {
  readonly version: bigint;
  readonly directory: string;
  /** Changes when any file below the directory is added, removed, resized or touched. */
  readonly fingerprint: string;
}

/** What stands on disk for one model at one moment. */
export interface ModelSnapshot {
  readonly name: string;
  readonly directory: string;
  readonly repository: string;
  /** The configuration file that was chosen, undefined when there is none. */
  readonly configFile: string | undefined;
  readonly configText: string;
  readonly versions: readonly VersionSnapshot[];
  /** Entries of the sub-directory that sorts first: what platform and file are guessed from. */
  readonly firstVersionEntries: readonly string[];
  /** Directories that look like versions but are not used, with the reason. */
  readonly ignored: readonly { readonly name: string; readonly reason: string }[];
  /** Covers everything below the model directory. */
  readonly fingerprint: string;
}

/** A model found in the repositories, not read yet. */
export type ModelLocation =
  | { readonly kind: "unique"; readonly name: string; readonly directory: string; readonly repository: string }
  | { readonly kind: "ambiguous"; readonly name: string; readonly directories: readonly string[] };
