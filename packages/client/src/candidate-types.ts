/** Wire types of candidates (`/nereid/v1/…/candidates`): models made for a time from the files of a served one. */
import type { ModelWarning } from "./management-types.ts";

export interface CandidateRequest {
  /** A name that no model has; the candidate is asked by it like any model. */
  readonly name: string;
  /** Fields of the configuration that are not as in the model it is made of, in snake_case; null takes one away. */
  readonly config: Readonly<Record<string, unknown>>;
  /** It goes by itself after so long, unless traffic or a shadow goes to it: 60 to 86 400, default 3 600. */
  readonly ttlSeconds?: number;
  /** Its process gives way to others as long as it lives; default true. */
  readonly lowPriority?: boolean;
}

export interface CandidateMade {
  readonly name: string;
  /** The model that it is made of. */
  readonly of: string;
  readonly versions: readonly string[];
  readonly warnings: readonly ModelWarning[];
  /** ISO 8601. */
  readonly expiresAt: string;
}

export interface Candidate {
  readonly name: string;
  readonly of: string;
  readonly versions: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lowPriority: boolean;
  /** What goes to it through the model that it is made of; null = nothing. */
  readonly inUse: "traffic" | "shadow" | null;
}
