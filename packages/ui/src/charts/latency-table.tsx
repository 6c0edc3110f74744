import { Table, Td, Th, Tr } from "../components/table.tsx";
import { formatDuration } from "../format/format-duration.ts";
import { formatNumber } from "../format/format-number.ts";
import { formatClock } from "../format/format-time.ts";
import { LATENCY_SERIES } from "./latency-series.ts";
import type { ChartPoint } from "./prepare-latency.ts";
import { stepLabel } from "./time-words.ts";

/** The same seconds as figures, newest first. */
export function LatencyTable({ points, step = 1 }: { readonly points: readonly ChartPoint[]; readonly step?: number }) {
  const series = LATENCY_SERIES.toReversed();
  return (
    <Table
      label={step === 1 ? "Latency by second" : `Latency by steps of ${step} seconds`}
      frameClassName="max-h-96 overflow-y-auto"
      className="[&_td]:py-1"
    >
      <thead className="sticky top-0 z-10 bg-panel">
        <tr>
          <Th>Time</Th>
          {series.map(({ key, label, kind }) => (
            <Th key={key} numeric>
              {kind === "mean" ? `${label}, mean` : label}
            </Th>
          ))}
          <Th numeric>Requests</Th>
          <Th numeric>Failed</Th>
          <Th numeric>Pending</Th>
        </tr>
      </thead>
      <tbody>
        {points.toReversed().map((point) => (
          <Tr key={point.t}>
            <Td className="whitespace-nowrap font-mono">
              {step === 1 ? formatClock(point.t) : stepLabel(point.t, step)}
            </Td>
            {series.map(({ key }) => (
              <Td key={key} numeric>
                {formatDuration(point[key])}
              </Td>
            ))}
            {point.missing ? (
              <Td colSpan={3} className="text-ink-soft">
                no data
              </Td>
            ) : (
              <>
                <Td numeric>{point.count}</Td>
                <Td numeric>{point.failed}</Td>
                <Td numeric>{formatNumber(point.pending)}</Td>
              </>
            )}
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
