/** Milliseconds of each phase of a request, as the server told them; in the order in which they happened. */
export interface ServerPhases {
  readonly receive: number;
  readonly decode: number;
  readonly queue: number;
  readonly input: number;
  readonly infer: number;
  readonly output: number;
}

const NAMES = ["receive", "decode", "queue", "input", "infer", "output"] as const;

/** The phases in a `Server-Timing` header (W3C); null where it does not tell of each one. Pure. */
export function readServerTiming(header: string | null): ServerPhases | null {
  if (header === null) return null;
  const told = new Map(
    header.split(",").flatMap((metric): [string, number][] => {
      const [name = "", ...parameters] = metric.split(";").map((part) => part.trim());
      const duration = parameters.find((one) => one.startsWith("dur="))?.slice("dur=".length) ?? "";
      const ms = duration === "" ? Number.NaN : Number(duration);
      return Number.isFinite(ms) ? [[name, ms]] : [];
    }),
  );
  const of = (name: (typeof NAMES)[number]) => told.get(name) ?? 0;
  if (!NAMES.every((name) => told.has(name))) return null;
  return {
    receive: of("receive"),
    decode: of("decode"),
    queue: of("queue"),
    input: of("input"),
    infer: of("infer"),
    output: of("output"),
  };
}
