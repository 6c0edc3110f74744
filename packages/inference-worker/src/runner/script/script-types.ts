import type { Datatype, ParameterValue } from "@nereid/protocol";
import type { ScriptAnswer, ScriptCall } from "./script-calls.ts";
import type { ScriptMetric, ScriptMetricFamily } from "./script-metrics.ts";
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
  /** Writes a line of the server's log; "VERBOSE" by default. */
  log(text: string, level?: "ERROR" | "WARNING" | "INFO" | "VERBOSE"): void;
  /** Asks another model of the server. Only while requests are executed, not from `initialize`. Rejects with `code` and `message`. */
  infer(call: ScriptCall): Promise<ScriptAnswer>;
  /** The same for models that give any number of answers. */
  stream(call: ScriptCall): AsyncGenerator<ScriptAnswer, void>;
  isReady(model: string, version?: string | number): Promise<boolean>;
  /** With explicit model control only, as are `unload` and the repository API. */
  load(
    model: string,
    options?: { readonly config?: object | string; readonly files?: Readonly<Record<string, Uint8Array>> },
  ): Promise<void>;
  unload(model: string, options?: { readonly dependents?: boolean }): Promise<void>;
  /** A metric on the server's metrics page, of the model's own. */
  metric(family: ScriptMetricFamily): ScriptMetric;
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
  /** Asked when a client asks whether the model is ready. */
  isReady?(): unknown;
}
