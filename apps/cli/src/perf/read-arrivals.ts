import { readFileSync } from "node:fs";
import type { ArrivalPlan, LoadShape } from "@nereid/perf";
import type { LoadChoice } from "./perf-command.ts";
import { optionError } from "./read-flags.ts";

/** The load of a level. INVALID_ARGUMENT for a file of arrivals that cannot be read. */
export function loadShape(load: LoadChoice, level: number, seed: number): LoadShape {
  if (load.kind === "concurrency") return { kind: "closed", concurrency: level };
  return { kind: "open", arrivals: arrivalsOf(load, level, seed) };
}

function arrivalsOf(load: Exclude<LoadChoice, { kind: "concurrency" }>, level: number, seed: number): ArrivalPlan {
  if (load.kind === "intervals") {
    const gapsUs = numbersOf(load.file);
    if (gapsUs.some((gap) => gap > 0)) return { kind: "intervals", gapsUs };
    throw optionError(`${load.file} has only gaps of 0`, "give gaps in microseconds, one a line");
  }
  if (load.kind === "recorded") {
    const times = numbersOf(load.file).toSorted((a, b) => a - b);
    const [first = 0] = times;
    return { kind: "recorded", offsetsMs: times.map((time) => time - first) };
  }
  if (load.distribution === "bursts") return { kind: "bursts", perSecond: level, size: load.burstSize };
  if (load.distribution === "poisson") return { kind: "poisson", perSecond: level, seed };
  return { kind: "constant", perSecond: level };
}

function numbersOf(file: string): number[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw optionError(`cannot read ${file}`, "give a file with one number a line");
  }
  const lines = text.split("\n").map((line) => line.trim());
  const numbers = lines.filter((line) => line !== "").map(Number);
  const wrong = numbers.findIndex((number) => !(number >= 0 && Number.isFinite(number)));
  if (wrong !== -1) throw optionError(`${file}: number ${wrong + 1} is no time`, "give one number from 0 on a line");
  if (numbers.length === 0) throw optionError(`${file} is empty`, "give one number a line");
  return numbers;
}
