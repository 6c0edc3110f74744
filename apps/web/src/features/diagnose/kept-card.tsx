"use client";

import type { KeptDiagnosis } from "@nereid/services";
import { Button, Card, formatDateTime } from "@nereid/ui";
import { useQueryStates } from "nuqs";
import { diagnoseSearchParams } from "./search-params.ts";

/** Reports of the model that somebody kept: to be read again, and to be compared with. */
export function KeptCard({ kept }: { readonly kept: readonly KeptDiagnosis[] }) {
  const [params, setParams] = useQueryStates(diagnoseSearchParams, { history: "push" });
  if (kept.length === 0) return null;
  return (
    <Card title="Kept reports" hint="Compare with one to see whether a change has helped." flush>
      <ul className="divide-y">
        {kept.map(({ id, atMs, authorName, report }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 px-4 py-2.5">
            <div className="min-w-0">
              <p className="font-medium [overflow-wrap:anywhere]">{report.verdict.title}</p>
              <p className="text-[0.857rem] text-ink-soft">
                {formatDateTime(new Date(atMs))} · {authorName}
              </p>
            </div>
            <div className="flex gap-2">
              <Button
                size="small"
                aria-pressed={params.kept === id}
                onClick={() => void setParams({ kept: id, with: null })}
              >
                Open
              </Button>
              <Button
                size="small"
                aria-pressed={params.with === id}
                onClick={() => void setParams({ with: params.with === id ? null : id, kept: null })}
              >
                {params.with === id ? "Stop comparing" : "Compare with"}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
