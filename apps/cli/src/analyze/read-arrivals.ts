import { readFileSync } from "node:fs";
import { settingError } from "./read-settings.ts";

/** Times at which requests came, one a line, as milliseconds from the first. INVALID_ARGUMENT with the fix. */
export function readArrivals(file: string): number[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw settingError(`cannot read ${file}`, "give a file with one time in milliseconds on a line");
  }
  const times = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map(Number)
    .toSorted((a, b) => a - b);
  const [first] = times;
  if (first === undefined || times.some((time) => !Number.isFinite(time)))
    throw settingError(`${file} has no arrival times`, "give one number of milliseconds on a line");
  return times.map((time) => time - first);
}
