import type { DiagnosisReport } from "@nereid/services";
import { formatDuration } from "@nereid/ui";

const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

/** A report as Markdown, for a ticket or a chat. */
export function reportText(report: DiagnosisReport): string {
  const { verdict, figures } = report;
  const lines = [
    `# ${report.model}${report.version === null ? "" : ` version ${report.version}`}: ${verdict.title}`,
    "",
    `${report.title}, ${iso(report.from)} to ${iso(report.to)}, node ${report.node}.`,
    `${figures.requests} requests, ${(figures.failureShare * 100).toFixed(2)} % failed, p50 ${duration(figures.p50)}, p99 ${duration(figures.p99)}.`,
    "",
    `**Verdict** (${Math.round(verdict.confidence * 100)} % sure): ${verdict.explanation}`,
    ...(verdict.suggestion === null
      ? []
      : [`**Try**: ${verdict.suggestion.says}`, `**Expected**: ${verdict.suggestion.effect}`]),
    "",
    "## Steps",
    ...report.steps.flatMap((step, index) => [
      "",
      `${index + 1}. ${step.question} ${branchLabel(step)}${step.overruled === null ? "" : " (chosen by hand)"}`,
      `   ${step.says}`,
      ...step.evidence.map(
        ({ label, value, bar }) => `   - ${label}: ${value}${bar === undefined ? "" : ` (bar ${bar})`}`,
      ),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

function duration(value: number | null): string {
  return value === null ? "not known" : formatDuration(value);
}

/** What the answer of a step means. */
export function branchLabel({ branch, branches }: DiagnosisReport["steps"][number]): string {
  return branches.find(({ id }) => id === branch)?.label ?? branch;
}
