import type { startExperimentInput } from "@nereid/services";
import type { z } from "zod";
import { readShapes } from "../lab/shapes-text.ts";

export type ExperimentRequest = z.input<typeof startExperimentInput>;

/** What the form has, as it was typed. */
export interface ExperimentDraft {
  readonly hypothesis: string;
  readonly loadKind: "concurrency" | "rate";
  readonly level: string;
  readonly metric: "p99" | "p50" | "throughput" | "goodput";
  readonly goodWithinMs: string;
  readonly pairs: string;
  readonly windowSeconds: string;
  readonly leastPercent: string;
  readonly shapes: string;
}

export interface ReadExperiment {
  /** Null while something is wrong. */
  readonly request: ExperimentRequest | null;
  readonly errors: Readonly<Partial<Record<keyof ExperimentDraft, string>>>;
  /** About how long it takes; null while something is wrong. */
  readonly seconds: number | null;
}

const WARM_UP_SECONDS = 1;

export const FIRST_DRAFT: ExperimentDraft = {
  hypothesis: "",
  loadKind: "concurrency",
  level: "8",
  metric: "p99",
  goodWithinMs: "",
  pairs: "6",
  windowSeconds: "5",
  leastPercent: "2",
  shapes: "",
};

/** The two configurations that are compared. */
export interface Compared {
  readonly model: string;
  readonly served: { readonly text: string; readonly digest: string };
  readonly change: string;
}

/** The request that a form makes, or what is wrong with it, by field. Pure. */
export function readExperimentDraft({ model, served, change }: Compared, draft: ExperimentDraft): ReadExperiment {
  const errors: Partial<Record<keyof ExperimentDraft, string>> = {};
  const hypothesis = draft.hypothesis.trim();
  if (hypothesis === "") errors.hypothesis = "is needed: what do you expect, and why?";
  const [level, pairs] = [Number(draft.level), Number(draft.pairs)];
  const [windowSeconds, leastPercent] = [Number(draft.windowSeconds), Number(draft.leastPercent)];
  const whole = draft.loadKind === "concurrency";
  if (!(level > 0 && level <= (whole ? 4096 : 1_000_000)) || (whole && !Number.isInteger(level))) {
    errors.level = whole ? "must be a whole number from 1 to 4096" : "must be a number above 0";
  }
  if (!Number.isInteger(pairs) || pairs < 2 || pairs > 100) errors.pairs = "must be a whole number from 2 to 100";
  if (!(windowSeconds >= 0.5 && windowSeconds <= 3600)) errors.windowSeconds = "must be seconds from 0.5 to 3600";
  if (!(leastPercent >= 0.1 && leastPercent <= 50)) errors.leastPercent = "must be percent from 0.1 to 50";
  const good = draft.goodWithinMs.trim() === "" ? null : Number(draft.goodWithinMs);
  if (good !== null && !(good > 0)) errors.goodWithinMs = "must be milliseconds, or empty";
  if (draft.metric === "goodput" && good === null)
    errors.goodWithinMs = "is needed: within which time is an answer good?";
  const shapes = readShapes(draft.shapes);
  if (shapes === null) errors.shapes = "is written INPUT:16 or INPUT:3,224,224, one a line";
  if (shapes === null || Object.keys(errors).length > 0) return { request: null, errors, seconds: null };
  return {
    errors,
    seconds: 2 * pairs * (windowSeconds + WARM_UP_SECONDS + 1),
    request: {
      spec: {
        model,
        hypothesis,
        load: { kind: draft.loadKind, level },
        metric: draft.metric,
        goodWithinMs: good,
        pairs,
        windowSeconds,
        warmUpSeconds: WARM_UP_SECONDS,
        leastEffect: leastPercent / 100,
        shapes,
        baseline: { text: served.text, digest: served.digest },
        change: { text: change },
      },
    },
  };
}
