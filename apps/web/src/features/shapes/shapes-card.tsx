"use client";

import type { ShapeRow, VersionShapes } from "@nereid/client";
import {
  Badge,
  Button,
  Card,
  formatDuration,
  formatNumber,
  formatShare,
  Message,
  Table,
  Td,
  Th,
  ToggleGroup,
  Tr,
} from "@nereid/ui";
import { Download } from "lucide-react";
import { useQueryStates } from "nuqs";
import { downloadText } from "../../lib/download-text.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { LocalTime } from "../audit/local-time.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";
import { shapesSearchParams } from "./search-params.ts";
import { ShapeRequestsDialog } from "./shape-requests-dialog.tsx";
import { shapesCsv, shapeText, sortedRows } from "./shape-words.ts";

const ORDER_OPTIONS = [
  { value: "count", label: "By frequency" },
  { value: "p99", label: "By p99" },
  { value: "first", label: "Newest" },
] as const;

/** Shapes that came for the first time within this time are marked. */
const NEW_MS = 600_000;

export interface ShapesCardProps {
  readonly model: string;
  readonly version: VersionShapes;
  readonly onPin: (row: ShapeRow) => void;
}

/** The shapes of one version. */
export function ShapesCard({ model, version, onPin }: ShapesCardProps) {
  const [{ order, requests }, setView] = useQueryStates(shapesSearchParams);
  const hydrated = useHydrated();
  const rows = sortedRows(version.rows, order);
  const total = version.rows.reduce((sum, { count }) => sum + count, version.otherRequests);
  const keyOf = (row: ShapeRow) => `${version.version}: ${shapeText(row.inputs)}`;
  const open = rows.find((row) => keyOf(row) === requests) ?? null;
  const others =
    version.otherShapes === 0
      ? ""
      : `; ${formatNumber(version.otherShapes)} rarer shapes had ${formatNumber(version.otherRequests)} more`;
  return (
    <Card
      flush
      title={`Shapes of version ${version.version}`}
      hint={`${formatNumber(total)} answered requests since the load${others}. Shapes are told without the batch dimension.`}
      actions={
        <>
          <ToggleGroup
            label="Order of the shapes"
            value={order}
            options={ORDER_OPTIONS}
            onChange={(next) => void setView({ order: next })}
          />
          <Button
            size="small"
            className="h-8"
            disabled={rows.length === 0}
            onClick={() =>
              downloadText(`${model}-${version.version}-shapes.csv`, "text/csv", shapesCsv({ ...version, rows }))
            }
          >
            <Download aria-hidden />
            CSV
          </Button>
        </>
      }
    >
      {rows.length === 0 ? (
        <Message kind="empty" title="No request was answered yet">
          Each combination of input shapes gets a row with its first request.
        </Message>
      ) : (
        <Table label={`Shapes of version ${version.version}`}>
          <thead>
            <tr>
              <Th>Inputs</Th>
              <Th numeric>Requests</Th>
              <Th numeric>Share</Th>
              <Th numeric>Mean</Th>
              <Th numeric>p99</Th>
              <Th numeric>Alone in a batch</Th>
              <Th numeric>Cut short</Th>
              <Th>First seen</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const text = shapeText(row.inputs);
              return (
                <Tr key={text}>
                  <Td className="min-w-40 font-mono text-[0.893rem] [overflow-wrap:anywhere]">{text}</Td>
                  <Td numeric>{formatNumber(row.count)}</Td>
                  <Td numeric>{formatShare(row.count / total)}</Td>
                  <Td numeric>{formatDuration(row.meanNs / 1e6)}</Td>
                  <Td numeric>{formatDuration(row.p99Ns / 1e6)}</Td>
                  <Td numeric>{formatShare(row.alone / row.count)}</Td>
                  <Td numeric>{formatNumber(row.cutShort)}</Td>
                  <Td className="whitespace-nowrap">
                    <LocalTime at={new Date(row.firstSeenMs)} relative />
                    {hydrated && Date.now() - row.firstSeenMs < NEW_MS ? (
                      <Badge tone="accent" className="ml-2">
                        New
                      </Badge>
                    ) : null}
                  </Td>
                  <Td className="whitespace-nowrap">
                    <span className="flex justify-end gap-1.5">
                      <Button
                        size="small"
                        tone="quiet"
                        aria-label={`Requests of ${text}`}
                        onClick={() => void setView({ requests: keyOf(row) }, { history: "push" })}
                      >
                        Requests
                      </Button>
                      <GuardedButton
                        permission="model.configure"
                        label={`Warm up with ${text}`}
                        onClick={() => onPin(row)}
                      >
                        Warm up
                      </GuardedButton>
                    </span>
                  </Td>
                </Tr>
              );
            })}
          </tbody>
        </Table>
      )}
      <ShapeRequestsDialog
        model={model}
        version={version}
        row={open}
        onClose={() => void setView({ requests: null }, { history: "push" })}
      />
    </Card>
  );
}
