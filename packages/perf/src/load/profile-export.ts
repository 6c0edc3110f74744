import type { LevelResult, ReportSettings } from "./level-result.ts";

export interface ExportOptions {
  /** What is added to the clock of the records to make milliseconds since 1970. */
  readonly epochOffsetMs: number;
  /** What was sent, by the number in the records: names and values. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[];
  readonly version: string;
}

/** The timestamps of every request, in nanoseconds since 1970, as perf_analyzer exports them. Pure. */
export function profileExport(
  results: readonly LevelResult[],
  settings: ReportSettings,
  { epochOffsetMs, inputs, version }: ExportOptions,
): string {
  const ns = (ms: number) => nanoseconds(ms + epochOffsetMs);
  const experiments = results.map(({ mode, level, window }) => {
    const requests = window.requests.map(({ startMs, sequenceId, responsesMs, input }) => {
      const sent = JSON.stringify(inputs[input] ?? {});
      const sequence = sequenceId === 0 ? "" : `"sequence_id":${sequenceId},`;
      const times = responsesMs.map(ns).join(",");
      return `{"timestamp":${ns(startMs)},${sequence}"request_inputs":${sent},"response_timestamps":[${times}],"response_outputs":[]}`;
    });
    const experiment = JSON.stringify({ mode: mode === "custom" ? "request_rate" : mode, value: level });
    const boundaries = [window.fromMs, window.toMs].map(ns).join(",");
    return `{"experiment":${experiment},"requests":[${requests.join(",")}],"window_boundaries":[${boundaries}]}`;
  });
  const rest = { version, service_kind: settings.serviceKind, endpoint: settings.endpoint };
  return `{"experiments":[${experiments.join(",")}],${JSON.stringify(rest).slice(1)}\n`;
}

/** As digits: nanoseconds since 1970 have more of them than a number holds. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((ms - whole) * 1e6)));
}
