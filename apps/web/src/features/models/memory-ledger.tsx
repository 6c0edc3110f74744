import type { MemoryLedger as Ledger } from "@nereid/client";
import { formatBytes } from "@nereid/ui";

const ROWS = [
  { key: "beforeBytes", label: "Before load" },
  { key: "loadedBytes", label: "After load" },
  { key: "peakBytes", label: "Peak" },
  { key: "currentBytes", label: "Now" },
] as const;

/** Resident memory of a runner over its life, each moment as a share of the largest. */
export function MemoryLedger({ memory }: { readonly memory: Ledger }) {
  const largest = Math.max(1, ...ROWS.map(({ key }) => memory[key] ?? 0));
  return (
    <dl className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-1.5 text-[0.893rem]">
      {ROWS.map(({ key, label }) => {
        const bytes = memory[key];
        return (
          <div key={key} className="contents">
            <dt className="text-ink-soft">{label}</dt>
            <dd aria-hidden className="h-2 overflow-hidden rounded-full bg-raised">
              <div
                className={
                  key === "currentBytes" ? "h-full rounded-full bg-accent" : "h-full rounded-full bg-line-strong"
                }
                style={{ width: `${((bytes ?? 0) / largest) * 100}%` }}
              />
            </dd>
            <dd className="text-right font-mono">{formatBytes(bytes)}</dd>
          </div>
        );
      })}
    </dl>
  );
}
