import { NereidError } from "@nereid/errors";
import type { StatsWindow } from "./stats-window.ts";
import type { Thresholds } from "./thresholds.ts";
import { type Symptom, TREES } from "./trees.ts";
import type { Finding, Verdict } from "./verdict.ts";

/** One step as it went. */
export interface WalkedStep extends Finding {
  readonly id: string;
  readonly question: string;
  /** What the step itself would have answered, where a person answered otherwise. */
  readonly overruled: string | null;
  readonly branches: readonly { readonly id: string; readonly label: string }[];
}

export interface Diagnosed {
  readonly symptom: Symptom;
  readonly title: string;
  readonly steps: readonly WalkedStep[];
  readonly verdict: Verdict;
}

export interface DiagnosisRequest {
  readonly symptom: Symptom;
  readonly window: StatsWindow;
  readonly bars: Thresholds;
  /** Branches chosen by hand, by step. */
  readonly choices?: Readonly<Record<string, string>>;
}

/** Walks a tree to its verdict. Pure. Throws INVALID_ARGUMENT for a branch that a step does not have. */
export function runDiagnosis({ symptom, window, bars, choices = {} }: DiagnosisRequest): Diagnosed {
  const { title, first, steps } = TREES[symptom];
  const walked: WalkedStep[] = [];
  for (let id = first; ; ) {
    const step = steps[id];
    if (step === undefined || walked.some((before) => before.id === id)) {
      throw new NereidError("INTERNAL", `the tree ${symptom} leads to ${id}, which it does not have or had before`);
    }
    const finding = step.decide(window, bars);
    const chosen = choices[id] ?? finding.branch;
    const branch = step.branches[chosen];
    if (branch === undefined) {
      throw new NereidError("INVALID_ARGUMENT", `the step ${id} has no branch '${chosen}'`, {
        fix: `choose one of ${Object.keys(step.branches).join(", ")}`,
      });
    }
    walked.push({
      ...finding,
      id,
      question: step.question,
      branch: chosen,
      overruled: chosen === finding.branch ? null : finding.branch,
      branches: Object.entries(step.branches).map(([key, { label }]) => ({ id: key, label })),
    });
    if ("verdict" in branch.onward) {
      const verdict = branch.onward.verdict(window, bars);
      const doubted = walked.some(({ overruled }) => overruled !== null);
      return {
        symptom,
        title,
        steps: walked,
        verdict: doubted ? { ...verdict, confidence: verdict.confidence * 0.7 } : verdict,
      };
    }
    id = branch.onward.to;
  }
}
