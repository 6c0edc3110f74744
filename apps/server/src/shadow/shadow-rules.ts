import { NereidError } from "@nereid/errors";
import { plainVersion } from "@nereid/model-config";

/** What is mirrored to whom, and when two answers agree. */
export interface ShadowRules {
  /** A version of the model, or `candidate/version`. */
  readonly target: string;
  /** Share of the requests, above 0 and at most 100. */
  readonly percent: number;
  /** Those that name no version, or all. */
  readonly requests: "unversioned" | "all";
  readonly absolute: number;
  readonly relative: number;
  /** How many of the requests that differ most are kept. */
  readonly keepWorst: number;
}

const LEAST_PERCENT = 0.1;
const MOST_KEPT = 50;
const KEPT = 10;
/** What other engines, thread counts and batch sizes make of the same float32 network. */
const ABSOLUTE = 1e-5;
const RELATIVE = 1e-3;

/** `{target, percent, requests?, absolute?, relative?, keepWorst?}`. INVALID_ARGUMENT for anything else. */
export function parseShadow(body: Readonly<Record<string, unknown>>): ShadowRules {
  const {
    target,
    percent,
    requests = "unversioned",
    absolute = ABSOLUTE,
    relative = RELATIVE,
    keepWorst = KEPT,
  } = body;
  const part = typeof target === "string" ? /^(.+\/)?(\d+)$/.exec(target) : null;
  const [, candidate = "", digits = ""] = part ?? [];
  const version = plainVersion(digits);
  if (version === undefined) throw invalid('\'target\' must be a version, such as "2", or "candidate/version"');
  if (typeof percent !== "number" || !(percent >= LEAST_PERCENT && percent <= 100))
    throw invalid(`'percent' must be a number from ${LEAST_PERCENT} to 100`);
  if (requests !== "unversioned" && requests !== "all") throw invalid('\'requests\' must be "unversioned" or "all"');
  if (!isTolerance(absolute)) throw invalid("'absolute' must be a number from 0");
  if (!isTolerance(relative)) throw invalid("'relative' must be a number from 0");
  if (typeof keepWorst !== "number" || !Number.isInteger(keepWorst) || keepWorst < 0 || keepWorst > MOST_KEPT)
    throw invalid(`'keepWorst' must be a whole number from 0 to ${MOST_KEPT}`);
  return { target: `${candidate}${version}`, percent, requests, absolute, relative, keepWorst };
}

function isTolerance(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function invalid(message: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", message);
}
