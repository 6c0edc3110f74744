import type { Datatype, ParameterValue } from "@nereid/protocol";
import type { ScriptRequest } from "./script-request.ts";

/** The configuration as Triton's JSON, parsed. */
export type ScriptConfig = Readonly<Record<string, unknown>>;

/** What a script knows of the instance it runs in. */
export interface ScriptContext {
  readonly modelName: string;
  readonly modelVersion: string;
  readonly instanceName: string;
  readonly kind: string;
  readonly device: number | null;
  /** The model's own directory. */
  readonly directory: string;
  readonly config: ScriptConfig;
  /** Writes a line of the server's verbose log. */
  log(text: string): void;
}

export interface ScriptOutput {
  /** Absent = the one configured for this output. */
  readonly datatype?: Datatype;
  readonly shape: readonly number[];
  readonly data: ArrayBufferView | readonly (number | bigint | boolean | string | Uint8Array)[];
}

export interface ScriptResponse {
  readonly outputs?: Readonly<Record<string, ScriptOutput>>;
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  /** A text counts as INTERNAL. */
  readonly error?: string | { readonly code?: string; readonly message: string };
}

/**
 * What a script's file exports: these functions, or as default an object or a class with these methods. A script is foreign code:
 * what its functions return is checked.
 */
export interface Script {
  autoComplete?(config: ScriptConfig): unknown;
  initialize?(context: ScriptContext): unknown;
  execute(requests: readonly ScriptRequest[], context: ScriptContext): unknown;
  finalize?(): unknown;
}
