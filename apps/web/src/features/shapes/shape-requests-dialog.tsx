"use client";

import type { ShapeRow, VersionShapes } from "@nereid/client";
import { Dialog, formatDuration, Message, Skeleton, Table, Td, Th, Tr } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { hasShapes, shapeText } from "./shape-words.ts";

export interface ShapeRequestsDialogProps {
  readonly model: string;
  readonly version: VersionShapes;
  /** Null closes it. */
  readonly row: ShapeRow | null;
  readonly onClose: () => void;
}

/** Requests of one shape that the server remembers: slow, failed and sampled ones. */
export function ShapeRequestsDialog({ model, version, row, onClose }: ShapeRequestsDialogProps) {
  const trpc = useTRPC();
  const query = useQuery(trpc.requests.find.queryOptions({ model, limit: 500 }, { enabled: row !== null }));
  const found =
    row === null
      ? []
      : (query.data?.records ?? []).filter(
          (request) => request.version === version.version && hasShapes(request, row.inputs, version.maxBatchSize > 0),
        );
  return (
    <Dialog
      open={row !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      size="wide"
      title={row === null ? "" : `Requests of ${shapeText(row.inputs)}`}
      description="Of all requests the server remembers slow, failed and some sampled ones."
    >
      {query.isError ? (
        <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      ) : query.data === undefined ? (
        <Skeleton className="h-32" />
      ) : found.length === 0 ? (
        <Message kind="empty" title="None of them is remembered">
          Requests of this shape were neither slow nor failed, and none was sampled lately.
        </Message>
      ) : (
        <Table label="Requests of this shape">
          <thead>
            <tr>
              <Th>When</Th>
              <Th>Request</Th>
              <Th>Why kept</Th>
              <Th numeric>Whole</Th>
              <Th numeric>In the queue</Th>
              <Th numeric>Batch</Th>
              <Th>Closed by</Th>
            </tr>
          </thead>
          <tbody>
            {found.map((request) => (
              <Tr key={request.serial}>
                <Td className="whitespace-nowrap">
                  <LocalTime at={new Date(request.atMs)} relative />
                </Td>
                <Td className="font-mono">{request.id === "" ? `#${request.serial}` : request.id}</Td>
                <Td>{request.error === undefined ? request.causes.join(", ") : request.error.message}</Td>
                <Td numeric>{formatDuration(request.totalNs / 1e6)}</Td>
                <Td numeric>{formatDuration(request.queue.waitedNs / 1e6)}</Td>
                <Td numeric>{request.batch?.size ?? "–"}</Td>
                <Td>{request.batch?.reason ?? "–"}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Dialog>
  );
}
