import type { TryAnswer, TryResult } from "@nereid/services";

export interface TimePart {
  readonly label: string;
  readonly startMs: number;
  readonly ms: number;
  readonly color: string;
}

const PHASES = [
  ["receive", "Receive", "var(--line-strong)"],
  ["decode", "Decode and check", "var(--line-strong)"],
  ["queue", "Queue", "var(--series-queue)"],
  ["input", "Compute input", "var(--series-input)"],
  ["infer", "Compute infer", "var(--series-infer)"],
  ["output", "Compute output", "var(--series-output)"],
] as const;

/**
 * Where the time of a request went, in order. What the server does not tell (the way there and back, encoding, sending) is one part
 * at the end, for nobody measured how it is divided. Pure.
 */
export function timeParts(
  { wholeMs }: Pick<TryResult, "wholeMs">,
  answer: Pick<TryAnswer, "phases" | "steps">,
): TimePart[] {
  const { phases, steps } = answer;
  if (steps !== null) {
    return steps.map(({ atMs }, index) => {
      const startMs = steps[index - 1]?.atMs ?? 0;
      return { label: `Answer ${index + 1}`, startMs, ms: atMs - startMs, color: "var(--series-infer)" };
    });
  }
  if (phases === null) return [];
  let at = 0;
  const parts = PHASES.map(([name, label, color]): TimePart => {
    const part = { label, startMs: at, ms: phases[name], color };
    at += phases[name];
    return part;
  });
  const rest = Math.max(0, wholeMs - at);
  return [...parts, { label: "Network, send", startMs: at, ms: rest, color: "var(--line-strong)" }];
}

/** The value below which a share of the durations lies, by the nearest rank; null without any. Pure. */
export function percentile(durations: readonly number[], share: number): number | null {
  const sorted = durations.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}
