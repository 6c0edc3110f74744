/** Which loads are tried, one after the other. */
export type LevelPlan =
  /** start, start + step, … ≤ end; `end` 0 = until the latency limit. */
  | { readonly kind: "linear"; readonly start: number; readonly end: number; readonly step: number }
  /** Looks for the highest level within the limit, to a step. */
  | { readonly kind: "binary"; readonly start: number; readonly end: number; readonly step: number }
  /** start, start × factor, … ≤ end, until the server no longer keeps up. */
  | { readonly kind: "ramp"; readonly start: number; readonly end: number; readonly factor: number }
  | { readonly kind: "single"; readonly level: number };

/** How a level that was tried ended. */
export interface LevelOutcome {
  readonly level: number;
  /** Stable and within the latency limit. */
  readonly passed: boolean;
  /** Answers a second for each request a second that was offered; 1 in a closed loop. */
  readonly keptUp: number;
}

/** Below this share of the offered rate a server is past its knee. */
const KNEE = 0.95;

/** The next level to try after these; undefined = no more. Pure. */
export function nextLevel(plan: LevelPlan, outcomes: readonly LevelOutcome[]): number | undefined {
  const last = outcomes.at(-1);
  switch (plan.kind) {
    case "single":
      return last === undefined ? plan.level : undefined;
    case "linear":
      if (last === undefined) return plan.start;
      return last.passed ? within(last.level + plan.step, plan.end) : undefined;
    case "ramp":
      if (last === undefined) return plan.start;
      return last.passed && last.keptUp >= KNEE ? within(last.level * plan.factor, plan.end) : undefined;
    case "binary":
      return bisect(plan, outcomes);
  }
}

function within(level: number, end: number): number | undefined {
  // Steps of fractions add up with an error in the last digit.
  return end === 0 || level <= end * (1 + 1e-9) ? level : undefined;
}

/** The start must pass and the end must fail; then the middle of what is left, as long as that is wider than a step. */
function bisect(
  { start, end, step }: { readonly start: number; readonly end: number; readonly step: number },
  outcomes: readonly LevelOutcome[],
): number | undefined {
  const [first, second, ...rest] = outcomes;
  if (first === undefined) return start;
  if (!first.passed) return undefined;
  if (second === undefined) return end;
  if (second.passed) return undefined;
  let [low, high] = [start, end];
  for (const { level, passed } of rest) [low, high] = passed ? [level, high] : [low, level];
  if (high - low <= step) return undefined;
  const middle = Number.isInteger(low) && Number.isInteger(high) ? Math.floor((low + high) / 2) : (low + high) / 2;
  return middle > low && middle < high ? middle : undefined;
}

/** The highest level that passed and kept up; undefined = none did. Pure. */
export function bestLevel(outcomes: readonly LevelOutcome[]): number | undefined {
  const good = outcomes.filter(({ passed, keptUp }) => passed && keptUp >= KNEE);
  return good.length === 0 ? undefined : Math.max(...good.map(({ level }) => level));
}
