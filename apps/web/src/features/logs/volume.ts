import type { LogLevel, LogLine } from "@nereid/client";

export interface VolumeBin {
  /** Unix milliseconds. */
  readonly fromMs: number;
  readonly lines: number;
  /** Of them warnings and errors. */
  readonly warn: number;
  readonly error: number;
}

export interface Volume {
  readonly bins: readonly VolumeBin[];
  /** Milliseconds of one bin. */
  readonly widthMs: number;
  readonly largest: number;
  /** What a screen reader hears. */
  readonly summary: string;
}

const WIDTHS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800];
const MOST_BINS = 60;

/** Lines over time, in at most 60 bins of a round width; null without lines. */
export function volumeOf(lines: readonly Pick<LogLine, "atMs" | "level">[]): Volume | null {
  const first = lines[0];
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return null;
  const spanMs = Math.max(1, last.atMs - first.atMs);
  const widthMs = (WIDTHS_S.find((seconds) => spanMs / (seconds * 1000) < MOST_BINS - 1) ?? 604_800) * 1000;
  const start = Math.floor(first.atMs / widthMs) * widthMs;
  const count = Math.min(MOST_BINS, Math.floor((last.atMs - start) / widthMs) + 1);
  const bins = Array.from({ length: count }, (_, at) => ({
    fromMs: start + at * widthMs,
    lines: 0,
    warn: 0,
    error: 0,
  }));
  for (const { atMs, level } of lines) {
    const bin = bins[Math.min(count - 1, Math.max(0, Math.floor((atMs - start) / widthMs)))];
    if (bin === undefined) continue;
    bin.lines += 1;
    if (level === "warn" || level === "error") bin[level] += 1;
  }
  const of = (level: LogLevel) => lines.filter((line) => line.level === level).length;
  return {
    bins,
    widthMs,
    largest: Math.max(...bins.map((bin) => bin.lines)),
    summary: `${lines.length} lines, ${of("warn")} of them warnings and ${of("error")} errors; one bar is ${widthWords(widthMs)}`,
  };
}

function widthWords(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;
}
