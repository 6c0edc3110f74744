import { NereidError } from "@nereid/errors";
import { plainVersion } from "@nereid/model-config";

/** `1=90,2=10` as weights by version, or by `candidate/version`. INVALID_ARGUMENT for anything else; what weights may be, the server says. Pure. */
export function parseWeights(text: string): Readonly<Record<string, number>> {
  const weights = new Map<string, number>();
  for (const part of text.split(",")) {
    const found = /^\s*((?:[^=/]+\/)?)(\d+)\s*=\s*(\d{1,15})\s*$/.exec(part);
    const [, candidate = "", digits = "", weight] = found ?? [];
    const number = plainVersion(digits);
    if (number === undefined) throw wrong(`'${part.trim()}' is not VERSION=WEIGHT`);
    const version = `${candidate}${number}`;
    if (weights.has(version)) throw wrong(`version ${version} has two weights`);
    weights.set(version, Number(weight));
  }
  return Object.fromEntries(weights);
}

function wrong(problem: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", problem, { fix: "give whole numbers, as in: --weights=1=90,2=10" });
}
