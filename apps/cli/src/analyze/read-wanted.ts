import { TUNING_METRICS, type TuningConstraint, type TuningObjective } from "@nereid/perf";
import { settingError } from "./read-settings.ts";
import type { SettingReader } from "./setting-reader.ts";

function metricNamed(name: string, where: string) {
  const found = TUNING_METRICS.find((one) => one === name);
  if (found === undefined) throw settingError(`${where} has '${name}'`, `use ${TUNING_METRICS.join(", ")}`);
  return found;
}

/** Metrics with their weights. INVALID_ARGUMENT with the fix. Pure. */
export function objectivesOf(value: unknown, goodWithinMs: number | null): TuningObjective[] {
  if (value === undefined) return [{ metric: goodWithinMs === null ? "perf_throughput" : "goodput", weight: 1 }];
  const list: [string, unknown][] = Array.isArray(value)
    ? value.map((one) => [String(one), 1])
    : typeof value === "object" && value !== null
      ? Object.entries(value)
      : String(value)
          .split(",")
          .map((one) => [one.split(":")[0] ?? "", one.split(":")[1] ?? 1]);
  return list.map(([name, weight]) => {
    const number = Number(weight);
    if (!(number > 0)) throw settingError(`objectives.${name} weighs '${String(weight)}'`, "give a weight above 0");
    return { metric: metricNamed(name.trim(), "objectives"), weight: number };
  });
}

/** Limits, those with names of their own too. INVALID_ARGUMENT with the fix. Pure. */
export function constraintsOf(settings: SettingReader): TuningConstraint[] {
  const value = settings.raw("constraints");
  const constraints: TuningConstraint[] = [];
  if (value !== undefined) {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw settingError("constraints is no map", "write perf_latency_p99: {max: 10}");
    for (const [name, limits] of Object.entries(value)) {
      const {
        min = null,
        max = null,
        ...more
      }: Record<string, unknown> = typeof limits === "object" && limits !== null ? { ...limits } : {};
      const bad =
        Object.keys(more).length > 0 ||
        (min === null && max === null) ||
        [min, max].some((one) => one !== null && typeof one !== "number");
      if (bad)
        throw settingError(`constraints.${name} is '${JSON.stringify(limits)}'`, "give {min: NUMBER} or {max: NUMBER}");
      constraints.push({
        metric: metricNamed(name, "constraints"),
        min: min as number | null,
        max: max as number | null,
      }); // Looked at above.
    }
  }
  const budget = settings.number("latency_budget");
  if (budget !== undefined) constraints.push({ metric: "perf_latency_p99", min: null, max: budget });
  const least = settings.number("min_throughput");
  if (least !== undefined) constraints.push({ metric: "perf_throughput", min: least, max: null });
  return constraints;
}
