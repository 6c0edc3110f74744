"use client";

import type { VersionRow } from "@nereid/services";
import { Badge, Checkbox, formatBytes, formatDuration, formatNumber, Table, Td, Th, Tr } from "@nereid/ui";
import type { ReactNode } from "react";
import { CreatedCell, DigestCell, VersionStateCell } from "./version-cells.tsx";
import { servedWords } from "./version-words.ts";

export interface VersionsListProps {
  readonly rows: readonly VersionRow[];
  readonly chosen: readonly string[];
  readonly onChoose: (version: string) => void;
  readonly buttonsOf: (row: VersionRow) => ReactNode;
}

function Choice({
  row,
  chosen,
  onChoose,
}: Pick<VersionsListProps, "chosen" | "onChoose"> & { readonly row: VersionRow }) {
  return (
    <Checkbox
      label={`Choose version ${row.version} for comparison`}
      labelHidden
      checked={chosen.includes(row.version)}
      onChange={() => onChoose(row.version)}
    />
  );
}

/** The versions of a model, newest first. */
export function VersionsTable({ rows, chosen, onChoose, buttonsOf }: VersionsListProps) {
  return (
    <Table label="Versions">
      <thead>
        <tr>
          <Th>
            <span className="sr-only">Compare</span>
          </Th>
          <Th>Version</Th>
          <Th>State</Th>
          <Th>Served</Th>
          <Th numeric>Req/s</Th>
          <Th numeric>p99</Th>
          <Th>Digest</Th>
          <Th numeric>Size</Th>
          <Th>Created</Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Tr key={row.version}>
            <Td>
              <Choice row={row} chosen={chosen} onChoose={onChoose} />
            </Td>
            <Td className="font-medium">{row.version}</Td>
            <Td>
              <VersionStateCell row={row} />
            </Td>
            <Td className="whitespace-nowrap">{servedWords(row)}</Td>
            <Td numeric>{formatNumber(row.traffic.requestsPerSecond)}</Td>
            <Td numeric>{formatDuration(row.traffic.p99Ms)}</Td>
            <Td>
              <DigestCell row={row} />
            </Td>
            <Td numeric>{formatBytes(row.bytes)}</Td>
            <Td>
              <CreatedCell row={row} />
            </Td>
            <Td>{buttonsOf(row)}</Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The same for narrow screens. */
export function VersionsCards({ rows, chosen, onChoose, buttonsOf }: VersionsListProps) {
  return (
    <ul className="divide-y divide-line">
      {rows.map((row) => (
        <li key={row.version} className="space-y-3 p-4">
          <div className="flex items-start justify-between gap-3">
            <div className="flex items-start gap-2">
              <Choice row={row} chosen={chosen} onChoose={onChoose} />
              <h3 className="font-medium">Version {row.version}</h3>
              {row.pinned ? <Badge tone="accent">Pinned</Badge> : null}
            </div>
            <VersionStateCell row={row} />
          </div>
          <dl className="grid grid-cols-3 gap-2 text-[0.893rem]">
            {[
              { name: "Req/s", value: formatNumber(row.traffic.requestsPerSecond) },
              { name: "p99", value: formatDuration(row.traffic.p99Ms) },
              { name: "Size", value: formatBytes(row.bytes) },
            ].map(({ name, value }) => (
              <div key={name}>
                <dt className="text-[0.786rem] text-ink-soft">{name}</dt>
                <dd className="font-mono">{value}</dd>
              </div>
            ))}
          </dl>
          <CreatedCell row={row} />
          <div className="flex items-center justify-between gap-3">
            <DigestCell row={row} />
            {buttonsOf(row)}
          </div>
        </li>
      ))}
    </ul>
  );
}
