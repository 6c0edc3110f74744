import type { AnalyzeKeyName } from "./analyze-keys.ts";
import { settingError } from "./read-settings.ts";

/** Reads settings one by one, of a model before those for all; every problem names its key. */
export class SettingReader {
  readonly #layers: readonly ReadonlyMap<AnalyzeKeyName, unknown>[];

  /** The first layer that has a key counts. */
  constructor(layers: readonly ReadonlyMap<AnalyzeKeyName, unknown>[]) {
    this.#layers = layers;
  }

  has(key: AnalyzeKeyName): boolean {
    return this.raw(key) !== undefined;
  }

  raw(key: AnalyzeKeyName): unknown {
    for (const layer of this.#layers) if (layer.has(key)) return layer.get(key) ?? undefined;
    return undefined;
  }

  text(key: AnalyzeKeyName): string | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (typeof value === "string" || typeof value === "number") return String(value);
    throw settingError(`${key} is no text`, `write ${key}: VALUE`);
  }

  flag(key: AnalyzeKeyName): boolean {
    const value = this.raw(key);
    if (value === undefined || value === false || value === "false") return false;
    if (value === true || value === "true") return true;
    throw settingError(`${key} is '${String(value)}'`, "write true or false");
  }

  number(key: AnalyzeKeyName, least = 0): number | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    const number = Number(value);
    if (typeof value !== "boolean" && String(value).trim() !== "" && Number.isFinite(number) && number >= least)
      return number;
    throw settingError(`${key} is '${String(value)}'`, `give a number from ${least} on`);
  }

  whole(key: AnalyzeKeyName, fallback: number, least = 1): number {
    const value = this.number(key, least) ?? fallback;
    if (Number.isInteger(value)) return value;
    throw settingError(`${key} is ${value}`, "give a whole number");
  }

  oneOf<const T extends string>(key: AnalyzeKeyName, values: readonly [T, ...T[]]): T {
    const text = this.text(key);
    if (text === undefined) return values[0];
    const found = values.find((one) => one === text);
    if (found !== undefined) return found;
    throw settingError(`${key} is '${text}'`, `use ${values.join(", ")}`);
  }

  texts(key: AnalyzeKeyName): string[] | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    const list = Array.isArray(value) ? value : String(value).split(",");
    return list.map((one) => String(one).trim()).filter((one) => one !== "");
  }

  /** A value, a list, values with commas, `start:stop:step`, or {start, stop, step}. */
  numbers(key: AnalyzeKeyName, least = 1): number[] | undefined {
    const value = this.raw(key);
    return value === undefined ? undefined : numbersOf(value, key, least);
  }
}

/** Numbers as Model Analyzer lets them be written. INVALID_ARGUMENT that names the key. Pure. */
export function numbersOf(value: unknown, key: string, least = 0): number[] {
  const wrong = () =>
    settingError(
      `${key} is '${typeof value === "object" ? JSON.stringify(value) : String(value)}'`,
      `give numbers from ${least} on, as in 1,2,4 or 1:8:1`,
    );
  const checked = (numbers: readonly number[]) => {
    if (numbers.length === 0 || numbers.some((one) => !Number.isFinite(one) || one < least)) throw wrong();
    return [...new Set(numbers)];
  };
  if (typeof value === "number") return checked([value]);
  if (Array.isArray(value))
    return checked(value.map((one) => (typeof one === "number" || typeof one === "string" ? Number(one) : Number.NaN)));
  if (typeof value === "string") {
    const [start, stop, step] = value.split(":").map(Number);
    if (value.includes(":")) return checked(range(start ?? Number.NaN, stop ?? Number.NaN, step ?? 1));
    return checked(value.split(",").map((one) => (one.trim() === "" ? Number.NaN : Number(one))));
  }
  if (typeof value === "object" && value !== null) {
    const { start, stop, step } = { start: Number.NaN, stop: Number.NaN, step: 1, ...value };
    return checked(range(Number(start), Number(stop), Number(step)));
  }
  throw wrong();
}

function range(start: number, stop: number, step: number): number[] {
  if (!(step > 0) || !(stop >= start)) return [];
  const values: number[] = [];
  for (let value = start; value <= stop + 1e-9 && values.length < 10_000; value += step) values.push(value);
  return values;
}
