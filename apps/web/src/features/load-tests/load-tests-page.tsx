"use client";

import { Button, Checkbox } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { parseAsArrayOf, parseAsString, useQueryState } from "nuqs";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { JobFilters } from "../lab/job-filters.tsx";
import { JobsCard } from "../lab/jobs-card.tsx";
import { CompareCard } from "./compare-card.tsx";

/** Two runs stand side by side. */
const MOST_COMPARED = 2;

/** Load tests of all nodes; two of them side by side. */
export function LoadTestsPage() {
  const trpc = useTRPC();
  const models = useQuery(trpc.models.list.queryOptions());
  const [compared, setCompared] = useQueryState("compare", parseAsArrayOf(parseAsString).withDefault([]));
  const toggle = (id: string) => {
    const next = compared.includes(id) ? compared.filter((one) => one !== id) : [...compared, id].slice(-MOST_COMPARED);
    void setCompared(next.length === 0 ? null : next);
  };
  const [first, second] = compared;
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h1 className="font-semibold text-xl tracking-tight">Load tests</h1>
          <p className="text-ink-soft">How much a model takes, and what its answers cost in time while it does.</p>
        </div>
        <Button asChild tone="primary">
          <Link href="/load-tests/new">
            <Plus aria-hidden />
            New load test
          </Link>
        </Button>
      </div>
      <JobFilters models={(models.data ?? []).map(({ name }) => name)} />
      {first === undefined ? null : second === undefined ? (
        <p role="status" className="text-ink-soft">
          Choose a second run to compare with.
        </p>
      ) : (
        <CompareCard first={first} second={second} onClose={() => void setCompared(null)} />
      )}
      <JobsCard
        kind="load-test"
        empty="Begin one here, or from the page of a model."
        before={({ id, title, active }) =>
          active ? null : (
            <Checkbox
              label={`Compare ${title}`}
              labelHidden
              checked={compared.includes(id)}
              onChange={() => toggle(id)}
            />
          )
        }
      />
    </div>
  );
}
