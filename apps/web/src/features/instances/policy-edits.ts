import { type ConfigEdit, editModelConfig, parseModelConfig } from "@nereid/model-config";
import { Values } from "../config/form/read-values.ts";

/** What the form shows and changes, as it is typed. Empty = not set. */
export interface PolicyValues {
  /** Instances of the first group. */
  readonly count: string;
  /** Microseconds. */
  readonly delay: string;
  /** Whole numbers with commas between them. */
  readonly preferred: string;
  readonly maxQueue: string;
  /** Microseconds. */
  readonly timeout: string;
  /** Time-outs of the priority levels, the first level first, microseconds; empty where there are no levels. */
  readonly levelTimeouts: readonly string[];
}

type Field = Exclude<keyof PolicyValues, "levelTimeouts">;

export type PolicyEdit =
  | { readonly kind: "same" }
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "wrong" /** Null: the text as a whole; a number: the time-out of this level. */;
      readonly field: Field | number | null;
      readonly message: string;
    };

const PATHS: Readonly<Record<Field, string>> = {
  count: "instance_group[0].count",
  delay: "dynamic_batching.max_queue_delay_microseconds",
  preferred: "dynamic_batching.preferred_batch_size",
  maxQueue: "dynamic_batching.default_queue_policy.max_queue_size",
  timeout: "dynamic_batching.default_queue_policy.default_timeout_microseconds",
};

const FIELDS = ["count", "delay", "preferred", "maxQueue", "timeout"] as const;
/** More levels than this are edited as text. */
const MOST_LEVELS = 8;
const MOST_INSTANCES = 256n;

/** The values of a configuration text; null for one with mistakes. */
export function readPolicy(text: string): PolicyValues | null {
  const { config } = parseModelConfig(text);
  if (config === undefined) return null;
  const values = new Values(config);
  return {
    count: values.integer(PATHS.count),
    delay: values.integer(PATHS.delay),
    preferred: values.integers(PATHS.preferred),
    maxQueue: values.integer(PATHS.maxQueue),
    timeout: values.integer(PATHS.timeout),
    levelTimeouts: Array.from({ length: levelsOf(values) }, (_, at) => values.integer(levelPath(String(at + 1)))),
  };
}

/** The text with other values, the rest of it as it was. Setting a field of the batcher turns the batcher on. */
export function editPolicy(text: string, wanted: PolicyValues): PolicyEdit {
  const have = readPolicy(text);
  if (have === null)
    return { kind: "wrong", field: null, message: "The configuration has mistakes; mend it on the Config page." };
  let edited = text;
  for (const field of FIELDS) {
    if (wanted[field].trim() === have[field].trim()) continue;
    const edit = editOf(field, wanted[field].trim(), edited);
    if (typeof edit === "string") return { kind: "wrong", field, message: edit };
    try {
      edited = editModelConfig(parseModelConfig(edited).document, edit);
    } catch (error) {
      return { kind: "wrong", field, message: error instanceof Error ? error.message : "It cannot be set." };
    }
  }
  for (const [at, timeout] of wanted.levelTimeouts.entries()) {
    const value = timeout.trim();
    if (value === have.levelTimeouts[at]?.trim()) continue;
    const edit = amountEdit(levelPath(`"${at + 1}"`), value);
    if (typeof edit === "string") return { kind: "wrong", field: at + 1, message: edit };
    edited = editModelConfig(parseModelConfig(edited).document, edit);
  }
  return edited === text ? { kind: "same" } : { kind: "text", text: edited };
}

function editOf(field: Field, value: string, text: string): ConfigEdit[] | string {
  const path = PATHS[field];
  if (field === "preferred") {
    if (value === "") return [{ op: "remove", path }];
    const parts = value.split(/[\s,]+/).filter((part) => part !== "");
    if (!parts.every((part) => /^[1-9]\d{0,5}$/.test(part))) return "Write whole numbers with commas between them.";
    return [{ op: "set", path, value: parts.map(Number) }];
  }
  if (field === "count") {
    if (!/^[1-9]\d{0,3}$/.test(value) || BigInt(value) > MOST_INSTANCES)
      return `Write a whole number from 1 to ${MOST_INSTANCES}.`;
    const groups = parseModelConfig(text).config?.instanceGroup.length ?? 0;
    return groups === 0
      ? [{ op: "append", path: "instance_group", value: { count: Number(value) } }]
      : [{ op: "set", path, value: Number(value) }];
  }
  return amountEdit(path, value);
}

/** Nothing and 0 both mean that there is no limit. */
function amountEdit(path: string, value: string): ConfigEdit[] | string {
  if (value === "" || value === "0") return [{ op: "remove", path }];
  return /^\d{1,15}$/.test(value) ? [{ op: "set", path, value: BigInt(value) }] : "Write a whole number.";
}

function levelsOf(values: Values): number {
  const levels = Number(values.integer("dynamic_batching.priority_levels"));
  return levels <= MOST_LEVELS ? levels : 0;
}

/** `key` in quotes where the text is edited, without where values are read. */
function levelPath(key: string): string {
  return `dynamic_batching.priority_queue_policy[${key}].default_timeout_microseconds`;
}
