"use client";

import type { DiagnosisReport, KeptDiagnosis } from "@nereid/services";
import { Badge, Card, formatDateTime, formatDuration, formatNumber, formatShare, Table, Td, Th, Tr } from "@nereid/ui";

type Figures = DiagnosisReport["figures"];

interface Row {
  readonly label: string;
  readonly key: keyof Figures;
  readonly show: (value: number) => string;
  /** Whether less is better; undefined where neither is. */
  readonly less?: boolean;
}

const ROWS: readonly Row[] = [
  { label: "p99", key: "p99", show: formatDuration, less: true },
  { label: "p50", key: "p50", show: formatDuration, less: true },
  { label: "Queue, mean", key: "queue", show: formatDuration, less: true },
  { label: "Compute infer, mean", key: "infer", show: formatDuration, less: true },
  { label: "Failed", key: "failureShare", show: formatShare, less: true },
  { label: "Requests a second", key: "requestsPerSecond", show: formatNumber },
];

/** Whether it is better now, by how much, and whether the verdict is another one. */
export function ComparisonCard({ before, now }: { readonly before: KeptDiagnosis; readonly now: DiagnosisReport }) {
  const solved = before.report.verdict.cause !== now.verdict.cause;
  return (
    <Card
      title="Before and now"
      hint={`Before: ${formatDateTime(new Date(before.atMs))}, kept by ${before.authorName}`}
      actions={
        <Badge tone={solved ? "ok" : "warn"}>
          {solved ? "The verdict is another one" : "The verdict is still the same"}
        </Badge>
      }
      flush
    >
      <Table label="Figures before and now">
        <thead>
          <tr>
            <Th>Figure</Th>
            <Th numeric>Before</Th>
            <Th numeric>Now</Th>
            <Th numeric>Change</Th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ label, key, show, less }) => {
            const old = before.report.figures[key];
            const value = now.figures[key];
            return (
              <Tr key={key}>
                <Td>{label}</Td>
                <Td numeric>{old === null ? "–" : show(old)}</Td>
                <Td numeric>{value === null ? "–" : show(value)}</Td>
                <Td numeric>
                  <ChangeText old={old} value={value} less={less === true} />
                </Td>
              </Tr>
            );
          })}
        </tbody>
      </Table>
    </Card>
  );
}

function ChangeText({
  old,
  value,
  less,
}: {
  readonly old: number | null;
  readonly value: number | null;
  readonly less: boolean;
}) {
  if (old === null || value === null || old === 0) return "–";
  const change = value / old - 1;
  const text = `${change >= 0 ? "+" : "−"}${Math.abs(Math.round(change * 100))} %`;
  if (!less || Math.abs(change) < 0.05) return text;
  return <span className={change < 0 ? "text-ok" : "text-bad"}>{text}</span>;
}
