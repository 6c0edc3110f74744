import type { PerfFlagKey } from "./perf-flags.ts";
import { PERF_FLAGS } from "./perf-flags.ts";
import { type FlagValues, optionError } from "./read-flags.ts";

/** Reads the values of options one by one; every problem names its option. */
export class FlagReader {
  readonly #values: FlagValues;

  constructor(values: FlagValues) {
    this.#values = values;
  }

  has(key: PerfFlagKey): boolean {
    return this.#values.has(key);
  }

  all(key: PerfFlagKey): readonly string[] {
    return this.#values.get(key) ?? [];
  }

  text(key: PerfFlagKey): string | undefined {
    return this.all(key).at(-1);
  }

  /** A whole number from `least` on. */
  whole(key: PerfFlagKey, fallback: number, least = 1): number {
    const text = this.text(key);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (text.trim() !== "" && Number.isSafeInteger(value) && value >= least) return value;
    throw optionError(
      `${nameOf(key)} is '${text}'`,
      `give a whole number from ${least} on, as in ${nameOf(key)} ${fallback}`,
    );
  }

  /** A number above `above`. */
  decimal(key: PerfFlagKey, fallback: number, above = 0): number {
    const text = this.text(key);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (text.trim() !== "" && Number.isFinite(value) && value > above) return value;
    throw optionError(`${nameOf(key)} is '${text}'`, `give a number above ${above}, as in ${nameOf(key)} ${fallback}`);
  }

  oneOf<T extends string>(key: PerfFlagKey, choices: readonly [T, ...T[]]): T {
    const text = this.text(key);
    if (text === undefined) return choices[0];
    const found = choices.find((choice) => choice === text.toLowerCase());
    if (found !== undefined) return found;
    throw optionError(`${nameOf(key)} is '${text}'`, `use ${choices.join(" or ")}`);
  }

  /** `start:end:step`; what is left out stays undefined. */
  range(key: PerfFlagKey): readonly (number | undefined)[] {
    const text = this.text(key) ?? "";
    const parts = text.split(":").map(Number);
    const [start = 0] = parts;
    if (text !== "" && parts.length <= 3 && parts.every((part) => Number.isFinite(part) && part >= 0) && start > 0)
      return parts;
    throw optionError(
      `${nameOf(key)} is '${text}'`,
      `write ${nameOf(key)} ${shownValue(key)} with a start above 0, as in 1:8:2`,
    );
  }
}

/** The longest name of an option, as messages call it. */
export function nameOf(key: PerfFlagKey): string {
  return PERF_FLAGS[key].names.at(-1) ?? key;
}

function shownValue(key: PerfFlagKey): string {
  const flag = PERF_FLAGS[key];
  return "value" in flag ? flag.value : "";
}
