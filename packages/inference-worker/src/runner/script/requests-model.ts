import type { Datatype } from "@nereid/protocol";
import type { ScriptRequest } from "./script-request.ts";

/** What serves single requests behind an instance's connection: a script, or an engine of its own. */
export interface RequestsModel {
  /** Of the configured outputs, by name. */
  readonly datatypes: ReadonlyMap<string, Datatype>;
  /** Whatever it returns, or a promise of it; see `ScriptRun` for what is taken. */
  execute(requests: readonly ScriptRequest[]): unknown;
  /** What clients are told when executing fails as a whole. */
  failure(thrown: unknown): string;
  failureText(text: string): string;
  /** Whether it could take a request now; absent: it never says. */
  readiness?(): Promise<{ readonly ready: boolean; readonly message?: string }>;
}
