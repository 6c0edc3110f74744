import type { Overview } from "@nereid/services";
import { Card, formatDuration, formatNumber, formatShare, Message, Table, Td, Th, Tr } from "@nereid/ui";
import Link from "../../lib/link.tsx";
import type { Range } from "../latency/search-params.ts";
import { modelPath } from "../models/model-name-cell.tsx";

/** Models that need a look, the one that needs it most first. */
export function WorstModels({ worst, range }: { readonly worst: Overview["worst"]; readonly range: Range }) {
  return (
    <Card flush title="Worst models first" hint={`Over the last ${range}.`}>
      {worst.length === 0 ? (
        <Message kind="empty" title="No model had traffic or trouble in this range" />
      ) : (
        <Table label="Worst models first">
          <thead>
            <tr>
              <Th>Model</Th>
              <Th>Why</Th>
              <Th numeric>p99</Th>
              <Th numeric>Errors</Th>
              <Th numeric>Queue share</Th>
              <Th numeric>Req/s</Th>
            </tr>
          </thead>
          <tbody>
            {worst.map((row) => (
              <Tr key={row.model}>
                <Td>
                  <Link
                    href={`${modelPath(row.model)}?range=${range}`}
                    className="inline-flex min-h-[24px] items-center rounded-sm font-medium hover:underline"
                  >
                    {row.model}
                  </Link>
                </Td>
                <Td className="min-w-40 text-ink-soft">{row.why}</Td>
                <Td numeric>
                  <Link
                    href={`${modelPath(row.model)}/latency?range=15m`}
                    aria-label={`Latency of ${row.model}: p99 ${formatDuration(row.p99Ms)}`}
                    className="inline-flex min-h-[24px] items-center rounded-sm underline decoration-dotted underline-offset-4 hover:decoration-solid"
                  >
                    {formatDuration(row.p99Ms)}
                  </Link>
                </Td>
                <Td numeric className={(row.errorShare ?? 0) > 0 ? "text-bad" : ""}>
                  {formatShare(row.errorShare)}
                </Td>
                <Td numeric>{formatShare(row.queueShare)}</Td>
                <Td numeric>{formatNumber(row.requestsPerSecond)}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}
