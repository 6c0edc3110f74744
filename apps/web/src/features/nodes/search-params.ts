import { parseAsStringLiteral } from "nuqs/server";
import { parseAsMoment } from "../../lib/parse-as-moment.ts";

export const NODE_RANGES = ["1m", "5m", "15m", "1h", "6h", "24h", "7d"] as const;

export type NodeRange = (typeof NODE_RANGES)[number];

export const NODE_RANGE_SECONDS: Readonly<Record<NodeRange, number>> = {
  "1m": 60,
  "5m": 300,
  "15m": 900,
  "1h": 3_600,
  "6h": 21_600,
  "24h": 86_400,
  "7d": 604_800,
};

/** Which time the charts of a node show. `from` and `to`, Unix seconds, stand over `range`. */
export const nodeSearchParams = {
  range: parseAsStringLiteral(NODE_RANGES),
  from: parseAsMoment,
  to: parseAsMoment,
};
