"use client";

import { Card, Field } from "@nereid/ui";
import type { DraftProps } from "./new-test-form.tsx";

const FIELDS = [
  ["goodWithinMs", "Good within, ms", "From when it was due; counts goodput."],
  ["p50", "p50 at most, ms", undefined],
  ["p99", "p99 at most, ms", undefined],
  ["throughput", "Throughput at least, a second", undefined],
  ["errorShare", "Failed at most, percent", undefined],
  ["goodput", "Good at least, percent", undefined],
] as const;

/** What every level has to keep. */
export function ThresholdFields({ draft, problems, change }: DraftProps) {
  return (
    <Card title="What it has to keep" hint="Optional; every level is judged by it.">
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
        {FIELDS.map(([field, label, hint]) => (
          <Field
            key={field}
            label={label}
            inputMode="decimal"
            value={draft[field]}
            error={problems[field]}
            {...(hint !== undefined && { hint })}
            onChange={({ target }) => change({ [field]: target.value })}
          />
        ))}
      </div>
    </Card>
  );
}
