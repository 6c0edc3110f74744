import type { VersionBatching } from "@nereid/client";
import type { WaitBin } from "@nereid/services";
import { Card, formatDuration, Message, Table, Td, Th, Tr } from "@nereid/ui";
import { BarList } from "./bar-list.tsx";
import { CLOSED_WORDS } from "./judge-batching.ts";
import type { SpanFacts } from "./span-facts.ts";

const NONE = <Message kind="empty" title="No batches in this span" />;

/** Sizes that batches had, beside those that are wanted. */
export function SizesCard({ version, facts }: { readonly version: VersionBatching; readonly facts: SpanFacts }) {
  const wanted = new Set(version.preferredBatchSizes);
  const got = new Map(facts.sizes);
  const sizes = [...new Set([...wanted, ...got.keys()])].sort((a, b) => a - b);
  const hint =
    wanted.size === 0
      ? `Up to ${Math.max(1, version.maxBatchSize)}; no preferred sizes`
      : `Preferred: ${[...wanted].join(", ")}; up to ${version.maxBatchSize}`;
  return (
    <Card title="Batch sizes, wanted and got" hint={hint}>
      {facts.sizes.length === 0 ? (
        NONE
      ) : (
        <BarList
          label="Executions by batch size"
          unit="Executions"
          bars={sizes.map((size) => ({
            label: wanted.has(size) ? `${size} (preferred)` : String(size),
            count: got.get(size) ?? 0,
            marked: wanted.has(size),
          }))}
        />
      )}
    </Card>
  );
}

/** What closed the batches. */
export function ClosedCard({ version, facts }: { readonly version: VersionBatching; readonly facts: SpanFacts }) {
  const delay =
    version.maxQueueDelayUs === 0 ? "No delay is set" : `Delay ${formatDuration(version.maxQueueDelayUs / 1000)}`;
  return (
    <Card title="Why batches were closed" hint={delay}>
      {facts.closed.length === 0 ? (
        NONE
      ) : (
        <BarList
          label="Batches by what closed them"
          unit="Batches"
          bars={facts.closed.map(([reason, count]) => ({ label: CLOSED_WORDS[reason] ?? reason, count }))}
        />
      )}
    </Card>
  );
}

function binWords({ fromUs, toUs }: WaitBin): string {
  if (toUs === null) return `${formatDuration(fromUs / 1000)} and longer`;
  return fromUs === 0
    ? `up to ${formatDuration(toUs / 1000)}`
    : `${formatDuration(fromUs / 1000)} to ${formatDuration(toUs / 1000)}`;
}

/** How long requests waited before their batch began. */
export function WaitCard({ bins }: { readonly bins: readonly WaitBin[] }) {
  const requests = bins.reduce((sum, bin) => sum + bin.requests, 0);
  return (
    <Card title="Wait before the batch" hint={`${requests} answered requests since the load`}>
      {bins.length === 0 ? (
        <Message kind="empty" title="No request was answered yet" />
      ) : (
        <BarList
          label="Requests by wait before their batch"
          unit="Requests"
          bars={bins.map((bin) => ({ label: binWords(bin), count: bin.requests }))}
        />
      )}
    </Card>
  );
}

/** Requests that were not executed, by priority. */
export function RefusalsCard({ version }: { readonly version: VersionBatching }) {
  const rows = version.refusals;
  return (
    <Card
      flush={rows.length > 0}
      title="Refused, by priority"
      hint={
        version.priorityLevels === 0
          ? "Since the load; no priority levels"
          : `Since the load; ${version.priorityLevels} levels, 1 first`
      }
    >
      {rows.length === 0 ? (
        <Message kind="empty" title="Nothing was refused" />
      ) : (
        <Table label="Refused requests by priority level">
          <thead>
            <tr>
              <Th>Priority</Th>
              <Th numeric>Queue full</Th>
              <Th numeric>Timed out</Th>
              <Th numeric>Cancelled</Th>
              <Th numeric>Other</Th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Tr key={row.level}>
                <Td>{row.level === 0 ? "All" : row.level}</Td>
                <Td numeric>{row.rejected}</Td>
                <Td numeric>{row.timedOut}</Td>
                <Td numeric>{row.cancelled}</Td>
                <Td numeric>{row.other}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}
