import { largestPhase, PHASE_WORDS, PHASES, type Phase, slowOnes, slowPhases } from "../figures.ts";
import type { Step } from "../step.ts";
import { ms, percent } from "../words.ts";

/** Where the slow requests spend their time in the server. */
export function phases(then: Readonly<Record<Phase, string>>): Step {
  return {
    id: "phases",
    question: "Where do the slow requests spend their time?",
    decide: (window) => {
      const means = slowPhases(window);
      if (means === null) {
        return { branch: "unknown", says: "No request was measured.", evidence: [], chart: "phases" };
      }
      const { phase, share } = largestPhase(means);
      const count = slowOnes(window).length;
      const of =
        count === 0
          ? "of all requests on average"
          : count === 1
            ? "of the one slow request that is remembered"
            : `of ${count} slow requests that are remembered`;
      return {
        branch: phase,
        says: `${percent(share)} of the time ${of} is ${PHASE_WORDS[phase]}.`,
        evidence: PHASES.map((one) => ({ label: PHASE_WORDS[one], value: ms(means[one]) })),
        chart: "phases",
      };
    },
    branches: {
      queue: { label: "Waiting in the queue", onward: { to: then.queue } },
      input: { label: "Preparing inputs", onward: { to: then.input } },
      infer: { label: "Executing", onward: { to: then.infer } },
      output: { label: "Preparing outputs", onward: { to: then.output } },
      unknown: { label: "Not known", onward: { to: then.infer } },
    },
  };
}
