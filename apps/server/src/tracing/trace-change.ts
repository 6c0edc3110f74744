import { NereidError } from "@nereid/errors";
import { inOrder, type TraceLevel } from "../options/trace-options.ts";

/** Settings a level may have of its own. */
export interface TraceFields {
  readonly levels: readonly TraceLevel[];
  readonly rate: number;
  readonly count: number;
  readonly logFrequency: number;
}

/** What a change says about each setting: a value, null to clear it, or nothing. */
export type TraceChange = { readonly [K in keyof TraceFields]?: TraceFields[K] | null };

const UINT32_MAX = 4_294_967_295;
const INT32_MAX = 2_147_483_647;

/** Reads texts by setting name. INVALID_ARGUMENT with Triton's texts, UNSUPPORTED for the file; other names are passed over. */
export function parseTraceChange(change: ReadonlyMap<string, readonly string[]>): TraceChange {
  if (change.has("trace_file"))
    throw new NereidError("UNSUPPORTED", "trace file location can not be updated through network protocol");
  const level = change.get("trace_level");
  const rate = single(change, "trace_rate");
  const count = single(change, "trace_count");
  const frequency = single(change, "log_frequency");
  return {
    ...(level !== undefined && { levels: level.length === 0 ? null : parseLevels(level) }),
    ...(rate !== undefined && { rate: rate && whole("trace_rate", rate.text, [0, UINT32_MAX]) }),
    ...(count !== undefined && { count: count && parseCount(count.text) }),
    ...(frequency !== undefined && {
      logFrequency: frequency && whole("log_frequency", frequency.text, [0, UINT32_MAX]),
    }),
  };
}

function single(
  change: ReadonlyMap<string, readonly string[]>,
  name: string,
): { readonly text: string } | null | undefined {
  const values = change.get(name);
  if (values === undefined) return undefined;
  const [text, ...others] = values;
  if (others.length > 0) throw new NereidError("INVALID_ARGUMENT", `expect only 1 value for '${name}'`);
  return text === undefined ? null : { text };
}

function parseLevels(texts: readonly string[]): readonly TraceLevel[] {
  if (texts.includes("OFF")) {
    if (texts.length > 1) throw new NereidError("INVALID_ARGUMENT", "Expect only one trace level 'OFF' is specified");
    return [];
  }
  const found = new Set<TraceLevel>();
  for (const text of texts) {
    if (text !== "TIMESTAMPS" && text !== "TENSORS")
      throw new NereidError(
        "INVALID_ARGUMENT",
        `Unable to parse 'trace_level', expecting OFF, TIMESTAMPS or TENSORS, got: ${text}`,
      );
    found.add(text);
  }
  return inOrder(found);
}

function parseCount(text: string): number {
  const count = whole("trace_count", text, [Number.NEGATIVE_INFINITY, INT32_MAX]);
  if (count < -1)
    throw new NereidError("INVALID_ARGUMENT", `Unable to parse 'trace_count'. Expecting value >= -1, got:${text}`);
  return count;
}

function whole(name: string, text: string, [min, max]: readonly [number, number]): number {
  if (!/^\s*[+-]?\d+$/.test(text)) throw new NereidError("INVALID_ARGUMENT", `Unable to parse '${name}', got: ${text}`);
  const value = Number(text);
  if (value < min || value > max) {
    const least = Number.isFinite(min) ? min : -1;
    throw new NereidError(
      "INVALID_ARGUMENT",
      `Unable to parse '${name}', value is out of range [ ${least}, ${max} ], got: ${text}`,
    );
  }
  return value;
}
