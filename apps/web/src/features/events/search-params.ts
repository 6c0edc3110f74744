import { parseAsArrayOf, parseAsBoolean, parseAsString, parseAsStringLiteral } from "nuqs/server";
import { parseAsMoment } from "../../lib/parse-as-moment.ts";
import { windowInput, windowOf } from "../latency/time-window.ts";
import { EVENT_KINDS } from "./kinds.ts";

export const EVENT_RANGES = ["15m", "1h", "6h", "24h", "7d", "30d", "all"] as const;

export type EventRange = (typeof EVENT_RANGES)[number];

const HOUR = 3_600;
export const EVENT_RANGE_SECONDS: Readonly<Record<EventRange, number>> = {
  "15m": 900,
  "1h": HOUR,
  "6h": 6 * HOUR,
  "24h": 24 * HOUR,
  "7d": 7 * 24 * HOUR,
  "30d": 30 * 24 * HOUR,
  all: Number.POSITIVE_INFINITY,
};

/** The range where neither address nor reader has chosen. */
export const OWN_EVENT_RANGE = "24h";

/** What of the line of time the page shows. `from` and `to`, Unix seconds, stand over `range`; `on` is the id of a node. */
export const eventsSearchParams = {
  range: parseAsStringLiteral(EVENT_RANGES),
  from: parseAsMoment,
  to: parseAsMoment,
  kind: parseAsArrayOf(parseAsStringLiteral(EVENT_KINDS)).withDefault([]),
  /** Only what is wrong. */
  trouble: parseAsBoolean.withDefault(false),
  model: parseAsString.withDefault(""),
  on: parseAsString.withDefault(""),
  actor: parseAsString.withDefault(""),
  q: parseAsString.withDefault(""),
};

interface EventsView {
  readonly range: EventRange;
  readonly from: number | null;
  readonly to: number | null;
  readonly kind: readonly (typeof EVENT_KINDS)[number][];
  readonly trouble: boolean;
  readonly model: string;
  readonly on: string;
  readonly actor: string;
  readonly q: string;
}

const LIMIT = 1_000;

/** What an address asks for, as the procedure takes it. */
export function timelineInput({ range, from, to, kind, trouble, model, on, actor, q }: EventsView) {
  const window = windowOf({ range, from, to }, EVENT_RANGE_SECONDS);
  return {
    limit: LIMIT,
    ...(window.kind === "recent" && window.range === "all" ? {} : windowInput(window)),
    ...(kind.length === 0 ? {} : { kinds: [...kind] }),
    ...(trouble ? { trouble } : {}),
    ...(model === "" ? {} : { model }),
    ...(on === "" ? {} : { node: on }),
    ...(actor === "" ? {} : { actor }),
    ...(q === "" ? {} : { q }),
  };
}
