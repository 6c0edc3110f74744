"use client";

import type { SloRecord, SloWithStanding } from "@nereid/services";
import { Badge, formatNumber, Table, Td, Th, Tr } from "@nereid/ui";
import Link from "../../lib/link.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { BudgetBar } from "./budget-bar.tsx";
import { SloCards } from "./slo-cards.tsx";
import { lastsText, promiseText, STATE_WORDS, shareText } from "./slo-words.ts";

export interface SloTableProps {
  readonly rows: readonly SloWithStanding[];
  readonly onEdit?: (slo: SloRecord) => void;
  readonly onRemove?: (slo: SloRecord) => void;
}

/** Promises and how they stand, worst first: a table, and cards on narrow screens. */
export function SloTable(props: SloTableProps) {
  return (
    <>
      <div className="hidden md:block">
        <WideTable {...props} />
      </div>
      <div className="md:hidden">
        <SloCards {...props} />
      </div>
    </>
  );
}

function WideTable({ rows, onEdit, onRemove }: SloTableProps) {
  return (
    <Table label="Objectives">
      <thead>
        <tr>
          <Th>Objective</Th>
          <Th>Model</Th>
          <Th>State</Th>
          <Th numeric>Good</Th>
          <Th>Error budget</Th>
          <Th numeric>Goodput</Th>
          {onEdit === undefined ? null : (
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ slo, standing }) => (
          <Tr key={slo.id}>
            <Td className="min-w-52">
              <p className="font-medium [overflow-wrap:anywhere]">{slo.name}</p>
              <p className="text-[0.857rem] text-ink-soft">{promiseText(slo)}</p>
            </Td>
            <Td>
              <Link
                href={`${modelPath(slo.model)}/latency`}
                className="inline-flex min-h-[24px] items-center rounded-sm font-medium hover:underline"
              >
                {slo.model}
              </Link>
            </Td>
            <Td>
              <Badge tone={STATE_WORDS[standing.state].tone}>{STATE_WORDS[standing.state].text}</Badge>
            </Td>
            <Td numeric>{standing.attainment === null ? "–" : shareText(standing.attainment)}</Td>
            <Td>
              <BudgetBar name={slo.name} left={standing.budgetLeft} />
              <p className="mt-0.5 text-[0.786rem] text-ink-soft">{lastsText(standing, slo.windowDays)}</p>
            </Td>
            <Td numeric className="whitespace-nowrap">
              {standing.goodput === null ? "–" : formatNumber(standing.goodput)}
              <span className="text-ink-soft"> of {formatNumber(standing.throughput)}/s</span>
            </Td>
            {onEdit === undefined || onRemove === undefined ? null : (
              <Td className="whitespace-nowrap text-right">
                <span className="inline-flex gap-1.5">
                  <GuardedButton permission="slo.manage" label={`Change ${slo.name}`} onClick={() => onEdit(slo)}>
                    Change
                  </GuardedButton>
                  <GuardedButton permission="slo.manage" label={`Remove ${slo.name}`} onClick={() => onRemove(slo)}>
                    Remove
                  </GuardedButton>
                </span>
              </Td>
            )}
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}
