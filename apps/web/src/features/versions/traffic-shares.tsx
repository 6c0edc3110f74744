import { trafficTarget, trafficTargetText } from "@nereid/client/traffic-target";
import { formatShare, Table, Td, Th, Tr } from "@nereid/ui";
import type { TrafficRow } from "./traffic-draft.ts";

/** The share of each version as a number and as a bar. */
export function TrafficShares({ rows }: { readonly rows: readonly TrafficRow[] }) {
  return (
    <Table label="Shares of traffic">
      <thead>
        <tr>
          <Th>Version</Th>
          <Th numeric>Weight</Th>
          <Th numeric>Share now</Th>
          <Th className="w-3/5">
            <span className="sr-only">Share as a bar</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ version, weight, share, served }) => (
          <Tr key={version}>
            <Td className="font-medium [overflow-wrap:anywhere]">
              {trafficTarget(version).kind === "version" ? version : trafficTargetText(version)}
            </Td>
            <Td numeric>{weight ?? "–"}</Td>
            <Td numeric>{formatShare(share)}</Td>
            <Td>
              {served || weight === null || weight === 0 ? (
                <div aria-hidden className="h-2 w-full min-w-16 overflow-hidden rounded-full bg-raised">
                  <div
                    className="h-full rounded-full bg-accent transition-[width]"
                    style={{ width: `${share * 100}%` }}
                  />
                </div>
              ) : (
                <span className="text-[0.857rem] text-warn">Not ready: the others have its share</span>
              )}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
