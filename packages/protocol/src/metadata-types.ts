import type { Datatype } from "./datatype.ts";

/** Answer of `GET /v2`. */
export interface ServerMetadata {
  readonly name: string;
  readonly version: string;
  readonly extensions: readonly string[];
}

export interface TensorMetadata {
  readonly name: string;
  readonly datatype: Datatype;
  /** -1 = variable; a batching model has a leading -1. */
  readonly shape: readonly number[];
}

/** Answer of `GET /v2/models/M`. */
export interface ModelMetadata {
  readonly name: string;
  readonly versions: readonly string[];
  readonly platform: string;
  readonly inputs: readonly TensorMetadata[];
  readonly outputs: readonly TensorMetadata[];
}

export type RepositoryState = "UNKNOWN" | "READY" | "UNAVAILABLE" | "LOADING" | "UNLOADING";

/** One element of the repository index: one per (model, version), or only a name for a model never loaded. */
export interface RepositoryIndexEntry {
  readonly name: string;
  readonly version?: string;
  readonly state?: RepositoryState;
  readonly reason?: string;
}
