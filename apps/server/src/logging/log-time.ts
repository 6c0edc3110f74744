import type { LogFormat } from "../options/log-options.ts";

/**
 * Time of a line as Triton writes it, in UTC: month, day and microseconds without a year (`0801 12:34:56.123000`), or ISO 8601
 * (`2026-08-01T12:34:56.123Z`).
 */
export function logTime(format: LogFormat, wallMs: number): string {
  const iso = new Date(wallMs).toISOString();
  if (format === "ISO8601") return iso;
  return `${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)}000`;
}
