import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { parseAsMoment } from "../../lib/parse-as-moment.ts";

export const SYMPTOM_WORDS = {
  "p99-high": "p99 is high",
  "gpu-low-latency-high": "Device idle, latency high",
  "gpu-high-errors-high": "Device busy, errors high",
  "throughput-low": "Throughput is low",
} as const;

export type SymptomKey = keyof typeof SYMPTOM_WORDS;

export const SYMPTOM_KEYS = Object.keys(SYMPTOM_WORDS) as [SymptomKey, ...SymptomKey[]];

/** What is diagnosed; without from and to, the last five minutes. */
export const diagnoseSearchParams = {
  model: parseAsString,
  version: parseAsString,
  symptom: parseAsStringLiteral(SYMPTOM_KEYS).withDefault("p99-high"),
  from: parseAsMoment,
  to: parseAsMoment,
  /** Branches chosen by hand: `step:branch,step:branch`. */
  choices: parseAsString.withDefault(""),
  /** Bars that are not as usual: `name:value,name:value`. */
  bars: parseAsString.withDefault(""),
  /** A kept report that is shown instead of a new one. */
  kept: parseAsString,
  /** A kept report that this one is compared with. */
  with: parseAsString,
};

/** The choices of an address; what is no `step:branch` is left out. */
export function readChoices(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(",").flatMap((part) => {
      const [step, branch, ...rest] = part.split(":");
      return step === undefined || step === "" || branch === undefined || branch === "" || rest.length > 0
        ? []
        : [[step, branch]];
    }),
  );
}

/** The choices with one more; null takes the step's away. */
export function withChoice(text: string, step: string, branch: string | null): string {
  const { [step]: _old, ...others } = readChoices(text);
  const choices = branch === null ? others : { ...others, [step]: branch };
  return Object.entries(choices)
    .map(([key, value]) => `${key}:${value}`)
    .join(",");
}
