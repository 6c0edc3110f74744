import { chooseBrute } from "./choose-brute.ts";
import { chooseOptimised } from "./choose-optimised.ts";
import { chooseQuick } from "./choose-quick.ts";
import { chooseSimulated } from "./choose-simulated.ts";
import type { NextStep, TuningState } from "./tuning-state.ts";

/** What to measure next, given all that was measured so far, or why there is nothing more to measure. Pure. */
export function chooseNext(state: TuningState): NextStep {
  const step = byMode(state);
  return step.kind === "measure" && state.left <= 0 ? { kind: "end", ended: "budget" } : step;
}

function byMode(state: TuningState): NextStep {
  switch (state.mode) {
    case "simulated":
      return chooseSimulated(state);
    case "brute":
      return chooseBrute(state);
    case "quick":
      return chooseQuick(state);
    case "optimiser":
      return chooseOptimised(state);
  }
}
