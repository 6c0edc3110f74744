import { Badge, formatNumber } from "@nereid/ui";
import Link from "../../lib/link.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { BudgetBar } from "./budget-bar.tsx";
import type { SloTableProps } from "./slo-table.tsx";
import { lastsText, promiseText, STATE_WORDS, shareText } from "./slo-words.ts";

/** The objectives for narrow screens: the budget is seen without a scroll to the side. */
export function SloCards({ rows, onEdit, onRemove }: SloTableProps) {
  return (
    <ul className="divide-y">
      {rows.map(({ slo, standing }) => (
        <li key={slo.id} aria-label={slo.name} className="space-y-3 p-4">
          <div className="flex items-start justify-between gap-3">
            <div className="min-w-0">
              <p className="font-medium [overflow-wrap:anywhere]">{slo.name}</p>
              <p className="text-[0.857rem] text-ink-soft">{promiseText(slo)}</p>
              <Link
                href={`${modelPath(slo.model)}/latency`}
                className="inline-flex min-h-[24px] items-center rounded-sm hover:underline [overflow-wrap:anywhere]"
              >
                {slo.model}
              </Link>
            </div>
            <Badge tone={STATE_WORDS[standing.state].tone}>{STATE_WORDS[standing.state].text}</Badge>
          </div>
          <div>
            <BudgetBar name={slo.name} left={standing.budgetLeft} />
            <p className="mt-0.5 text-[0.786rem] text-ink-soft">{lastsText(standing, slo.windowDays)}</p>
          </div>
          <dl className="grid grid-cols-2 gap-2">
            <div>
              <dt className="text-[0.786rem] text-ink-soft">Good</dt>
              <dd className="font-mono text-[0.857rem]">
                {standing.attainment === null ? "–" : shareText(standing.attainment)}
              </dd>
            </div>
            <div>
              <dt className="text-[0.786rem] text-ink-soft">Goodput</dt>
              <dd className="font-mono text-[0.857rem]">
                {standing.goodput === null ? "–" : formatNumber(standing.goodput)} of{" "}
                {formatNumber(standing.throughput)}/s
              </dd>
            </div>
          </dl>
          {onEdit === undefined || onRemove === undefined ? null : (
            <div className="flex gap-1.5">
              <GuardedButton permission="slo.manage" label={`Change ${slo.name}`} onClick={() => onEdit(slo)}>
                Change
              </GuardedButton>
              <GuardedButton permission="slo.manage" label={`Remove ${slo.name}`} onClick={() => onRemove(slo)}>
                Remove
              </GuardedButton>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
