import { NereidError } from "@nereid/errors";
import { closestFlag } from "./closest-flag.ts";
import { FLAGS, type Flag } from "./flag-table.ts";

/** Bounds of a number, both included. */
export interface WholeRange {
  readonly min?: number;
  readonly max?: number;
}

const VERBOSITY = /^(?:\d+|true|false|on|off)$/i;

/** What the command line says, flag by flag; every reader checks its own values and names the option that is wrong. */
export class GivenFlags {
  readonly #values = new Map<string, string[]>();

  /** INVALID_ARGUMENT for an argument that is no option, with the nearest one, and for an option without the value it needs. */
  constructor(args: readonly string[]) {
    for (let index = 0; index < args.length; index++) {
      const argument = args[index] ?? "";
      const match = /^--([^=]+)(?:=([\s\S]*))?$/.exec(argument);
      const name = match?.[1] ?? "";
      const flag = Object.hasOwn(FLAGS, name) ? FLAGS[name] : undefined;
      if (match === null || flag === undefined) throw unrecognized(argument, name);
      let value = match[2];
      if (value === undefined && takesNext(flag, args[index + 1])) {
        index += 1;
        value = args[index];
      }
      if (value === undefined && isOptionalValue(flag)) value = "true";
      if (value === undefined) throw bad(name, `needs a value: --${name}=<value> (${flag.help})`);
      const values = this.#values.get(name) ?? [];
      if (values.length > 0 && flag.kind !== "repeated") values.length = 0;
      values.push(value);
      this.#values.set(name, values);
    }
  }

  names(): readonly string[] {
    return [...this.#values.keys()];
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** A whole number, by default of any sign. INVALID_ARGUMENT outside the range. */
  whole(name: string, { min, max }: WholeRange = {}): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    const fits = (min === undefined || value >= min) && (max === undefined || value <= max);
    if (!/^[+-]?\d{1,15}$/.test(text) || !fits) throw bad(name, `expected ${describe(min, max)}, got "${text}"`);
    return value;
  }

  /** A port; 0 = one that is free. */
  port(name: string): number | undefined {
    return this.whole(name, { min: 0, max: 65_535 });
  }

  boolean(name: string): boolean | undefined {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined) return undefined;
    if (["true", "on", "1"].includes(text)) return true;
    if (["false", "off", "0"].includes(text)) return false;
    throw bad(name, `expected true or false (or on, off, 1, 0), got "${this.text(name)}"`);
  }
}

/** INVALID_ARGUMENT about one option. */
export function bad(name: string, why: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", `Bad option: "--${name}". ${why}`);
}

function takesNext({ kind }: Flag, next: string | undefined): boolean {
  if (kind === "switch" || next === undefined || next.startsWith("--")) return false;
  return kind !== "verbosity" || VERBOSITY.test(next);
}

function isOptionalValue({ kind }: Flag): boolean {
  return kind === "switch" || kind === "boolean" || kind === "verbosity";
}

function unrecognized(argument: string, name: string): NereidError {
  const meant = closestFlag(name === "" ? argument.replace(/^-+/, "") : name);
  const advice = meant === undefined ? "Use --help for the list." : `Did you mean --${meant}?`;
  return new NereidError("INVALID_ARGUMENT", `Unrecognized option: "${argument}". ${advice}`);
}

function describe(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return `a whole number from ${min} to ${max}`;
  if (min !== undefined) return `a whole number of at least ${min}`;
  return max === undefined ? "a whole number" : `a whole number of at most ${max}`;
}
