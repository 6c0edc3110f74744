import type { StatsWindow } from "../stats-window.ts";
import type { Step } from "../step.ts";
import { ms, percent } from "../words.ts";

function bytesOf({ sampled, slow }: StatsWindow, direction: "input" | "output" | "copied"): number | null {
  const records = [...sampled, ...slow];
  if (records.length === 0) return null;
  return records.reduce((sum, { bytes }) => sum + bytes[direction], 0) / records.length;
}

function size(bytes: number | null): string {
  if (bytes === null) return "not known";
  return bytes < 1024
    ? `${Math.round(bytes)} B`
    : bytes < 1024 ** 2
      ? `${Math.round(bytes / 1024)} KiB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

/** Time that goes into moving inputs. */
export const inputs: Step = {
  id: "inputs",
  question: "Why does preparing inputs take long?",
  decide: (window) => ({
    branch: "large",
    says: `A request has ${size(bytesOf(window, "input"))} of inputs, of which ${size(bytesOf(window, "copied"))} are copied.`,
    evidence: [
      { label: "Inputs of a request", value: size(bytesOf(window, "input")) },
      { label: "Copied", value: size(bytesOf(window, "copied")) },
      { label: "Processors in use", value: percent(window.machine?.cpu ?? null) },
    ],
    chart: "phases",
  }),
  branches: {
    large: {
      label: "They are large, or costly to decode",
      onward: {
        verdict: (window) => ({
          cause: "input-handling",
          title: "Preparing inputs takes the time",
          explanation: `${ms(window.whole.means?.input ?? null)} of a request go into its inputs (${size(bytesOf(window, "input"))}).`,
          confidence: 0.7,
          suggestion: {
            says: "Send binary tensors instead of JSON, smaller types, or put them into shared memory.",
            effect: "Inputs that lie in shared memory are not copied at all.",
            edits: [],
          },
        }),
      },
    },
  },
};

/** Time that goes into answers. */
export const outputs: Step = {
  id: "outputs",
  question: "Why does preparing outputs take long?",
  decide: (window) => ({
    branch: "large",
    says: `An answer has ${size(bytesOf(window, "output"))}.`,
    evidence: [{ label: "Outputs of a request", value: size(bytesOf(window, "output")) }],
    chart: "phases",
  }),
  branches: {
    large: {
      label: "They are large, or read slowly",
      onward: {
        verdict: (window) => ({
          cause: "output-handling",
          title: "Preparing outputs takes the time",
          explanation: `${ms(window.whole.means?.output ?? null)} of a request go into its answer (${size(bytesOf(window, "output"))}).`,
          confidence: 0.7,
          suggestion: {
            says: "Ask only for the outputs that are used, in binary, or take the top classes (classification).",
            effect: "What is not asked for is not written.",
            edits: [],
          },
        }),
      },
    },
  },
};
