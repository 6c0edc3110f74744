import type { LoadLevel } from "@nereid/services/load-test-report";

export interface CompareRow {
  readonly level: number;
  readonly first: LoadLevel;
  readonly second: LoadLevel;
}

/** Levels that both runs have, lowest first. Pure, as all here. */
export function sharedLevels(first: readonly LoadLevel[], second: readonly LoadLevel[]): CompareRow[] {
  return first.flatMap((one) => {
    const other = second.find(({ level }) => level === one.level);
    return other === undefined ? [] : [{ level: one.level, first: one, second: other }];
  });
}

/** "+12 %" of the second against the first; null where there is nothing to compare. */
export function changeText(first: number | null, second: number | null): string | null {
  if (first === null || second === null || first === 0) return null;
  const percent = (100 * (second - first)) / first;
  const shown = Math.abs(percent) < 10 ? percent.toFixed(1) : percent.toFixed(0);
  return `${percent > 0 ? "+" : ""}${shown} %`;
}
