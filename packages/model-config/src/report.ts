import type { Diagnostic, DiagnosticCode, Fix, Severity } from "./diagnostic.ts";
import { locate } from "./text/locate.ts";
import type { ConfigDocument } from "./text/tree.ts";

export interface Finding {
  readonly code: DiagnosticCode;
  /** Field path the finding is about; the empty string for the whole config. */
  readonly path: string;
  readonly message: string;
  readonly severity?: Severity;
  readonly help?: string | undefined;
  readonly fix?: Fix | undefined;
}

/** Collects findings about a config message and gives them positions from the document, when there is one. */
export class Report {
  readonly diagnostics: Diagnostic[] = [];
  readonly document: ConfigDocument | undefined;

  constructor(document: ConfigDocument | undefined) {
    this.document = document;
  }

  add(finding: Finding): void {
    const { code, path, message, help, fix } = finding;
    this.diagnostics.push({
      ...locate(this.document, path),
      severity: finding.severity ?? "error",
      code,
      message,
      ...(path === "" ? {} : { path }),
      ...(help === undefined ? {} : { help }),
      ...(fix === undefined ? {} : { fix }),
    });
  }
}
