import type { ParameterValue } from "./infer-types.ts";
import { writeDouble } from "./json-double.ts";

/** JSON object of parameters: bigint as integer, number as double (`1.0`). */
export function writeParameters(parameters: Iterable<readonly [string, ParameterValue]>): string {
  const members = Array.from(parameters, ([key, value]) => `${JSON.stringify(key)}:${writeParameter(value)}`);
  return `{${members.join(",")}}`;
}

/** One value: bigint as integer, number as double. */
export function writeParameter(value: ParameterValue): string {
  if (typeof value === "bigint") return value.toString();
  return typeof value === "number" ? writeDouble(value) : JSON.stringify(value);
}
