import { parseAsString, parseAsStringLiteral } from "nuqs";

export const SPANS = ["1m", "5m", "15m", "load"] as const;

export type Span = (typeof SPANS)[number];

/** Seconds of a span; since the load the last 15 minutes are what is known second by second. */
export const SPAN_SECONDS: Readonly<Record<Span, number>> = { "1m": 60, "5m": 300, "15m": 900, load: 900 };

/** How the page looks at a model's batches. */
export const instancesSearchParams = {
  version: parseAsString,
  span: parseAsStringLiteral(SPANS).withDefault("5m"),
};

/** What is simulated, as it was typed: instances, largest batch, longest wait in microseconds, preferred sizes. */
export const whatIfSearchParams = {
  tryInstances: parseAsString,
  tryBatch: parseAsString,
  tryDelay: parseAsString,
  tryPreferred: parseAsString,
};
