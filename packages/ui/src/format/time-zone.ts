/** The zone in which times are written; undefined = the browser's own. */
let shown: string | undefined;

/** Writes all times in a zone from now on: `browser`, `UTC` or one of the IANA database. One that is not known here counts as `browser`. */
export function showTimesIn(zone: string): void {
  shown = zone === "browser" || !isKnown(zone) ? undefined : zone;
}

/** The name of the zone in which times are written, such as Europe/Paris. */
export function shownZone(): string {
  return shown ?? new Intl.DateTimeFormat("en-GB").resolvedOptions().timeZone;
}

/** All zones that this browser knows, UTC first. */
export function knownZones(): readonly string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}

/** A formatter for the zone that times are written in. Made once for each style, for it is slow to make. */
export function timeFormat(style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${shown ?? ""} ${JSON.stringify(style)}`;
  const known = FORMATS.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-GB", { ...style, ...(shown !== undefined && { timeZone: shown }) });
  FORMATS.set(key, made);
  return made;
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

const WALL: Intl.DateTimeFormatOptions = {
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
  hourCycle: "h23",
};

/** What the clock on the wall shows at a Unix second, as seconds that a clock in UTC would show it at. */
export function toWall(t: number): number {
  const of: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of timeFormat(WALL).formatToParts(t * 1000)) of[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = of;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

/**
 * The Unix second at which the clock on the wall shows this. Of an hour that comes twice it is the first one; a time that is left
 * out in spring is taken as one hour later.
 */
export function fromWall(wall: number): number {
  const candidates = [wall - offsetAt(wall - DAY), wall - offsetAt(wall + DAY)];
  return candidates.sort((a, b) => a - b).find((t) => toWall(t) === wall) ?? Math.max(...candidates);
}

const DAY = 86_400;

function offsetAt(t: number): number {
  return toWall(t) - t;
}

function isKnown(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}
