import type { Step } from "../step.ts";
import { number } from "../words.ts";

/** A percentile of a handful of requests is noise. */
export function enoughData(then: string): Step {
  return {
    id: "enough-data",
    question: "Are there enough requests to say anything?",
    decide: ({ whole }, { minRequests }) => {
      const all = whole.succeeded + whole.failed;
      return {
        branch: all < minRequests ? "few" : "enough",
        says: `${all} requests ended in this window.`,
        evidence: [{ label: "Requests", value: number(all), bar: `at least ${number(minRequests)}` }],
        chart: "latency",
      };
    },
    branches: {
      few: {
        label: "Too few",
        onward: {
          verdict: ({ whole }, { minRequests }) => ({
            cause: "not-enough-data",
            title: "Too few requests to say",
            explanation: `${whole.succeeded + whole.failed} requests are in the window, and a 99th percentile of fewer than ${minRequests} says little.`,
            confidence: 1,
            suggestion: {
              says: "Look at a longer window, or send more requests.",
              effect: "No change of the model; only more to look at.",
              edits: [],
            },
          }),
        },
      },
      enough: { label: "Enough", onward: { to: then } },
    },
  };
}
