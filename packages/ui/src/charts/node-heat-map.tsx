import type { ReactNode } from "react";
import { cn } from "../cn.ts";
import { Table, Th } from "../components/table.tsx";
import type { HeatCell, HeatMetric, HeatRow } from "./prepare-node-heat.ts";

export interface NodeHeatMapProps {
  readonly rows: readonly HeatRow[];
  readonly metrics: readonly HeatMetric[];
  /** The node's name as a link. */
  readonly renderName: (row: HeatRow) => ReactNode;
}

/** How much of the shade's colour is in a cell. */
const SHADES = ["0%", "10%", "20%", "30%", "42%"];

/** Nodes by metrics: shaded cells with their figures in them. Draws what prepareNodeHeat decided. */
export function NodeHeatMap({ rows, metrics, renderName }: NodeHeatMapProps) {
  return (
    <Table label="Heat of the nodes" className="[&_td]:border-b-0">
      <thead>
        <tr>
          <Th>Node</Th>
          {metrics.map(({ key, label }) => (
            <Th key={key} className="text-center">
              {label}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row" className="whitespace-nowrap px-3 py-1 pl-4 text-left font-medium">
              {renderName(row)}
            </th>
            {row.cells.map((cell) => (
              <td key={cell.key} className="p-0.5 last:pr-4">
                <div
                  style={{ background: shadeOf(cell.level) }}
                  className={cn(
                    "min-w-20 rounded-sm px-2 py-1.5 text-center font-mono text-[0.857rem]",
                    (cell.level === null || row.stale) && "text-ink-soft",
                    cell.level === 4 && "font-semibold",
                  )}
                >
                  {cell.text}
                </div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function shadeOf(level: HeatCell["level"]): string {
  if (level === null) return "transparent";
  return `color-mix(in oklab, var(${level >= 3 ? "--bad" : "--series-infer"}) ${SHADES[level]}, var(--raised))`;
}
