import type { HistoryTotals } from "@nereid/services";
import { Card, formatNumber, formatShare, Message, Table, Td, Th, Tr } from "@nereid/ui";
import { reasonWords } from "../requests/reason-words.ts";

const MOST_ROWS = 12;

/** Which sizes batches had in the whole window, and what closed them. */
export function BatchesPanel({ totals }: { readonly totals: HistoryTotals }) {
  const sizes = totals.batchSizes.map(([size, count]) => ({ name: String(size), count }));
  const reasons = Object.entries(totals.closed).map(([reason, count]) => ({ name: reasonWords(reason), count }));
  return (
    <Card
      flush
      title="Batches"
      aria-label="Batches"
      hint="Executions in the whole window, by size and by what closed the batch."
    >
      {sizes.length === 0 && reasons.length === 0 ? (
        <Message kind="empty" title="No batches were told of in this window" />
      ) : (
        <div className="grid gap-x-4 sm:grid-cols-2">
          <Shares label="Batch size" rows={sizes} />
          <Shares label="Closed because" rows={reasons.sort((a, b) => b.count - a.count)} />
        </div>
      )}
    </Card>
  );
}

interface SharesProps {
  readonly label: string;
  readonly rows: readonly { readonly name: string; readonly count: number }[];
}

function Shares({ label, rows }: SharesProps) {
  const all = rows.reduce((sum, { count }) => sum + count, 0);
  const rest = rows.slice(MOST_ROWS);
  const shown =
    rest.length === 0
      ? rows
      : [
          ...rows.slice(0, MOST_ROWS),
          { name: `other (${rest.length})`, count: rest.reduce((sum, { count }) => sum + count, 0) },
        ];
  return (
    <Table label={label} className="[&_td]:py-1">
      <thead>
        <tr>
          <Th>{label}</Th>
          <Th numeric>Executions</Th>
          <Th numeric>Share</Th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ name, count }) => (
          <Tr key={name}>
            <Td>{name}</Td>
            <Td numeric>{formatNumber(count)}</Td>
            <Td numeric>{formatShare(all === 0 ? null : count / all)}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
