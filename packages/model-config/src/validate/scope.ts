import type { Fix } from "../diagnostic.ts";
import { type ConfigEdit, planEdit } from "../edit/plan-edit.ts";
import type { ModelConfig } from "../gen/model_config_pb.ts";
import type { Finding, Report } from "../report.ts";

/** What every check gets: the config, its name as error texts print it, and where findings go. */
export interface Scope {
  readonly config: ModelConfig;
  readonly model: string;
  readonly report: Report;
}

/** A fix made of one config edit; undefined without a document to edit. */
export function fixOf(report: Report, title: string, edit: ConfigEdit): Fix | undefined {
  const { document } = report;
  if (document === undefined || !document.wellFormed) return undefined;
  return { title, edits: planEdit(document, edit) };
}

/** Adds a finding whose text ends with ` for <model>`, as most of Triton's do. */
export function addFor(scope: Scope, finding: Finding): void {
  scope.report.add({ ...finding, message: `${finding.message} for ${scope.model}` });
}
