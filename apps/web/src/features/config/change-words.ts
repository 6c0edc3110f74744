import type { ConfigChange } from "@nereid/client";

/** What applying would do to the running model, in words. */
export function changeWords({ kind, fields }: ConfigChange): string {
  const list = fields.length === 0 ? "" : `: ${fields.join(", ")}`;
  switch (kind) {
    case "none":
      return "Nothing that is served changes; the file is written.";
    case "in-place":
      return `Applied while it serves, without a gap${list}.`;
    case "reload":
      return `Reloads the model${list}. The present one serves until the new one is ready; then they are swapped.`;
    case "not-loaded":
      return "The model is not loaded: the file is written and takes effect at the next load.";
  }
}

const SOURCES: Readonly<Record<string, string>> = {
  apply: "Applied",
  restore: "Restored",
  deploy: "Deployed",
  found: "Found by the dashboard",
};

/** How an entry of the history came about. */
export function sourceWords(source: string): string {
  return SOURCES[source] ?? source;
}

/** "3 errors, 1 warning"; empty when there is nothing. */
export function countWords(findings: readonly { readonly severity: string }[]): string {
  return [
    { severity: "error", one: "error", many: "errors" },
    { severity: "warning", one: "warning", many: "warnings" },
    { severity: "info", one: "hint", many: "hints" },
  ]
    .map(({ severity, one, many }) => {
      const count = findings.filter((finding) => finding.severity === severity).length;
      return count === 0 ? "" : `${count} ${count === 1 ? one : many}`;
    })
    .filter((part) => part !== "")
    .join(", ");
}
