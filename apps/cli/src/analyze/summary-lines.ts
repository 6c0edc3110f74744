import { levelWords, type TuningMeasurement, type TuningPoint, type TuningResult } from "@nereid/perf";
import { textTable } from "../text-table.ts";

/** What came of a tuning, for a terminal. Pure. */
export function summaryLines(result: TuningResult, top: number): string[] {
  const measured = result.points.filter(
    (point): point is TuningPoint & { measured: TuningMeasurement } => point.measured !== null,
  );
  const best = new Map<string, (typeof measured)[number]>();
  for (const point of measured) if (!best.has(point.config)) best.set(point.config, point);
  const rows = [...best.values()].slice(0, top);
  if (result.present !== null && !rows.some(({ config }) => config === result.present?.config)) {
    const present = best.get(result.present.config);
    if (present !== undefined) rows.push(present);
  }
  const lines = [
    `${result.spec.model}: ${result.measurements} of ${result.space} points measured${result.probes > 0 ? ` and ${result.probes} probes` : ""} in ${result.seconds.toFixed(0)} s (${endedWords(result)}).`,
    "",
    ...textTable(
      [
        { title: "Model Config Name" },
        ...["Instances", "Max Batch", "Delay (us)", "Load", "p99 (ms)", "Throughput", "Good"].map((title) => ({
          title,
          numeric: true,
        })),
        { title: "Limits" },
      ],
      rows.map((point) => [
        point.config,
        String(point.setting.instances),
        String(point.setting.maxBatchSize),
        point.setting.queueDelayUs === null ? "-" : String(point.setting.queueDelayUs),
        String(point.level),
        (point.measured.p99Us / 1000).toFixed(2),
        point.measured.throughput.toFixed(0),
        point.measured.goodput.toFixed(0),
        point.passes === true ? "kept" : "missed",
      ]),
    ),
    "",
  ];
  const { recommended, simulator, live, note } = result;
  if (recommended !== null) {
    lines.push(`Best: ${recommended.config} at ${levelWords(result.spec, best.get(recommended.config)?.level ?? 1)}.`);
    lines.push(...recommended.why.map((one) => `  ${one}`));
    if (Object.keys(recommended.fields).length > 0) {
      lines.push("  To be laid over the present configuration:");
      lines.push(
        ...recommended.diff
          .filter(({ kind }) => kind !== "same")
          .map(({ kind, text }) => `  ${kind === "added" ? "+" : "-"} ${text}`),
      );
    }
  }
  if (simulator !== null)
    lines.push(
      `The simulator, corrected by what was measured, was off by ${percent(simulator.throughput)} in throughput and ${percent(simulator.p99)} in p99 (medians of ${simulator.points}).`,
    );
  if (live?.worstP99Ms != null)
    lines.push(
      `The served model's p99 was at most ${live.worstP99Ms.toFixed(1)} ms meanwhile${live.limitMs === null ? "" : `, its limit ${live.limitMs} ms; ${live.pauses} pauses for it`}.`,
    );
  const skipped = result.points.filter((point) => point.skipped !== null);
  const [first] = skipped;
  if (first?.skipped)
    lines.push(`${skipped.length} points were left out; the first, ${first.id}: ${first.skipped.why}`);
  if (note !== null) lines.push(note);
  return lines;
}

function endedWords({ ended }: TuningResult): string {
  if (ended === "complete") return "everything that was to be tried";
  if (ended === "no-better-expected") return "nothing better is expected";
  return ended === "budget" ? "the budget is spent" : "stopped";
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
