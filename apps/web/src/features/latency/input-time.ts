import { fromWall, toWall } from "@nereid/ui";

/** A Unix second as an input of date and time has it, in the zone that times are shown in. */
export function toInputTime(seconds: number): string {
  return new Date(toWall(seconds) * 1000).toISOString().slice(0, 19);
}

/** The Unix second of what an input of date and time has; null for what is none. */
export function fromInputTime(text: string): number | null {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return Number.isNaN(ms) ? null : fromWall(Math.floor(ms / 1000));
}
