"use client";

import { loadTestSpec } from "@nereid/services/load-test-spec";
import { Skeleton } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useTRPC } from "../../lib/trpc.tsx";
import { draftOf, EMPTY_DRAFT, type LoadTestDraft } from "./load-test-draft.ts";
import { NewTestForm } from "./new-test-form.tsx";
import { PRESETS } from "./presets.ts";
import { newTestParams } from "./search-params.ts";

/** The form of a new load test, as the address begins it: from a preset, a rate, or an earlier test. */
export function NewTestPage() {
  const trpc = useTRPC();
  const [{ model, version, preset, rate, from }] = useQueryStates(newTestParams);
  const earlier = useQuery(
    trpc.lab.get.queryOptions({ id: from ?? "" }, { enabled: from !== null, staleTime: Infinity }),
  );
  const begun: LoadTestDraft = {
    ...EMPTY_DRAFT,
    ...PRESETS.find(({ name }) => name === (rate === null ? preset : "users"))?.fields,
    ...(rate !== null && { from: String(rate), to: String(rate) }),
    model: model ?? "",
    version: version ?? "",
  };
  const spec = loadTestSpec.safeParse(earlier.data?.spec);
  return (
    <div className="space-y-4">
      <div>
        <h1 className="font-semibold text-xl tracking-tight">New load test</h1>
        <p className="text-ink-soft">
          Requests are made by a process of its own and measured from when each was due; the server is asked beside.
        </p>
      </div>
      {from !== null && earlier.isLoading ? (
        <Skeleton className="h-96" />
      ) : (
        <NewTestForm key={`${from} ${preset} ${rate}`} begun={spec.success ? draftOf(spec.data) : begun} />
      )}
    </div>
  );
}
