import type { LoadLevel } from "@nereid/services/load-test-report";
import { isOpenLoop, type LoadPlan } from "@nereid/services/load-test-spec";

/** A level as people call it. Pure, as all here. */
export function levelWords(load: LoadPlan, level: number): string {
  const number = Number(level.toPrecision(4));
  return isOpenLoop(load) ? `${number} a second` : `${number} in flight`;
}

/** A line about the whole test, for lists: the best or the last level with its figures. */
export function resultWords(load: LoadPlan, levels: readonly LoadLevel[], best: number | null): string {
  const shown = levels.find(({ level }) => level === best) ?? levels.at(-1);
  if (shown === undefined) return "Nothing was measured";
  const { throughput, p99, failed } = shown.client;
  const figures = `${round(throughput)} a second, p99 ${p99 === null ? "–" : `${round(p99)} ms`}`;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  const knee = load.kind === "knee" ? (best === null ? "no level was good; " : "highest good level ") : "";
  return `${knee}${levelWords(load, shown.level)}: ${figures}${failures}`;
}

function round(value: number): string {
  return String(value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
}
