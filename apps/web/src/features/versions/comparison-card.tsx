"use client";

import type { VersionComparison } from "@nereid/services";
import {
  Badge,
  Button,
  Card,
  formatBytes,
  formatDuration,
  formatNumber,
  Skeleton,
  Table,
  Td,
  Th,
  Tr,
} from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { tensorText } from "./version-words.ts";

export interface ComparisonCardProps {
  readonly model: string;
  readonly a: string;
  readonly b: string;
  readonly onClose: () => void;
}

/** Two versions side by side: what they take and give, their files, their latency under the same figures. */
export function ComparisonCard({ model, a, b, onClose }: ComparisonCardProps) {
  const trpc = useTRPC();
  const query = useQuery(trpc.versions.compare.queryOptions({ name: model, a, b }));
  return (
    <Card
      flush
      title={`Version ${a} and version ${b}`}
      hint="Latency of the last 15 minutes, by the server."
      actions={
        <Button size="icon" tone="quiet" aria-label="Close the comparison" onClick={onClose}>
          <X aria-hidden />
        </Button>
      }
    >
      {query.data !== undefined ? (
        <Comparison data={query.data} />
      ) : query.isError ? (
        <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      ) : (
        <Skeleton className="m-4 h-48" />
      )}
    </Card>
  );
}

function Comparison({ data }: { readonly data: VersionComparison }) {
  const { a, b, signature, files, latency } = data;
  const figures = [
    { name: "p50 latency", a: formatDuration(latency.a.p50), b: formatDuration(latency.b.p50) },
    { name: "p99 latency", a: formatDuration(latency.a.p99), b: formatDuration(latency.b.p99) },
    { name: "Requests counted", a: formatNumber(latency.a.count), b: formatNumber(latency.b.count) },
    { name: "Size", a: formatBytes(a.bytes), b: formatBytes(b.bytes) },
  ];
  const changed = files.filter((file) => file.changed).length;
  return (
    <div className="divide-y divide-line">
      <Section title="Figures">
        <Pairs
          label="Figures of both versions"
          a={a.version}
          b={b.version}
          rows={figures.map((row) => ({ ...row, changed: false }))}
        />
      </Section>
      <Section title={signature.length === 0 ? "Inputs and outputs: the same" : "Inputs and outputs that differ"}>
        {signature.length === 0 ? null : (
          <Pairs
            label="Inputs and outputs that differ"
            a={a.version}
            b={b.version}
            rows={signature.map((one) => ({
              name: `${one.side} ${one.tensor}`,
              a: tensorText(one.a),
              b: tensorText(one.b),
              changed: true,
            }))}
          />
        )}
      </Section>
      <Section title={changed === 0 ? "Files: the same" : `Files: ${changed} of ${files.length} differ`}>
        <Pairs
          label="Files of both versions"
          a={a.version}
          b={b.version}
          rows={files.map((file) => ({
            name: file.path,
            a: fileText(file.a),
            b: fileText(file.b),
            changed: file.changed,
          }))}
        />
      </Section>
    </div>
  );
}

function fileText(file: { readonly bytes: number; readonly sha256: string } | null): string {
  return file === null ? "not there" : `${formatBytes(file.bytes)}, ${file.sha256.slice(0, 10)}`;
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <h3 className="px-4 pt-3 pb-1 font-medium text-[0.893rem]">{title}</h3>
      {children}
    </div>
  );
}

interface PairsProps {
  readonly label: string;
  readonly a: string;
  readonly b: string;
  readonly rows: readonly {
    readonly name: string;
    readonly a: string;
    readonly b: string;
    readonly changed: boolean;
  }[];
}

function Pairs({ label, a, b, rows }: PairsProps) {
  return (
    <Table label={label}>
      <thead>
        <tr>
          <Th>
            <span className="sr-only">What</span>
          </Th>
          <Th>Version {a}</Th>
          <Th>Version {b}</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.name}>
            <Td className="[overflow-wrap:anywhere]">
              {row.name} {row.changed ? <Badge tone="warn">differs</Badge> : null}
            </Td>
            <Td className="font-mono text-[0.893rem]">{row.a}</Td>
            <Td className="font-mono text-[0.893rem]">{row.b}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
