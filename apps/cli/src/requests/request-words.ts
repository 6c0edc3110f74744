import type { FlightRecord } from "@nereid/client";

/** The client's id, or the server's number where it gave none. Control characters are shown, not obeyed. Pure. */
export function nameOf({ id, serial }: Pick<FlightRecord, "id" | "serial">): string {
  return id === "" ? `#${serial}` : plain(id);
}

/** Text of others for a terminal: control characters as `\uXXXX`. Pure. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Nanoseconds as `340 µs`, `8.21 ms`, `1.50 s`. Pure. */
export function timeText(ns: number): string {
  if (ns < 999_500) return `${Math.round(ns / 1e3)} µs`;
  return ns < 999_500_000 ? `${(ns / 1e6).toPrecision(3)} ms` : `${(ns / 1e9).toFixed(2)} s`;
}
