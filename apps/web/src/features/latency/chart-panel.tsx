"use client";

import { Button, Card, Table, Td, Th, Tr } from "@nereid/ui";
import { type LineRow, stepLabel } from "@nereid/ui/charts";
import { ChartArea, Download, Table2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { downloadText } from "../../lib/download-text.ts";
import { WhileSeen } from "../../lib/while-seen.tsx";
import { csvOf } from "./history-lines.ts";

export interface DataColumn {
  readonly key: string;
  /** With its unit. */
  readonly label: string;
  readonly format: (value: number | null) => string;
}

export interface ChartPanelProps {
  readonly title: string;
  readonly hint?: ReactNode;
  /** Controls beside those that every chart has. */
  readonly actions?: ReactNode;
  readonly rows: readonly LineRow[];
  readonly columns: readonly DataColumn[];
  readonly step: number;
  /** Name of the file that the figures are saved as. */
  readonly fileName: string;
  readonly children: ReactNode;
}

/** A chart with its figures as a table and as a file. */
export function ChartPanel(props: ChartPanelProps) {
  const { title, hint, actions, rows, columns, step, fileName, children } = props;
  const [asTable, setAsTable] = useState(false);
  return (
    <Card
      flush
      title={title}
      aria-label={title}
      {...(hint !== undefined && { hint })}
      actions={
        <>
          {actions}
          <Button size="small" className="h-8" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? <ChartArea aria-hidden /> : <Table2 aria-hidden />}
            {asTable ? "View chart" : "View data"}
          </Button>
          <Button
            size="small"
            className="h-8"
            aria-label={`Save ${title} as CSV`}
            onClick={() => downloadText(`${fileName}.csv`, "text/csv", csvOf(rows, columns))}
          >
            <Download aria-hidden />
            CSV
          </Button>
        </>
      }
    >
      <WhileSeen>
        {asTable ? <DataTable title={title} rows={rows} columns={columns} step={step} /> : children}
      </WhileSeen>
    </Card>
  );
}

type DataTableProps = Pick<ChartPanelProps, "title" | "rows" | "columns" | "step">;

/** The steps of a chart as figures, newest first. */
function DataTable({ title, rows, columns, step }: DataTableProps) {
  return (
    <Table label={`${title}, figures`} frameClassName="max-h-96 overflow-y-auto" className="[&_td]:py-1">
      <thead className="sticky top-0 z-10 bg-panel">
        <tr>
          <Th>Time</Th>
          {columns.map(({ key, label }) => (
            <Th key={key} numeric>
              {label}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.toReversed().map(({ t, values }) => (
          <Tr key={t}>
            <Td className="whitespace-nowrap font-mono">{stepLabel(t, step)}</Td>
            {columns.map(({ key, format }) => (
              <Td key={key} numeric>
                {format(values[key] ?? null)}
              </Td>
            ))}
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
