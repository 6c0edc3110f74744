import { NereidError } from "@nereid/errors";
import type { InputStep } from "./input-data.ts";

/** The steps of a stream in batches: each request takes `batch` steps one after the other, from one further than the last. Pure. */
export function batchSteps(steps: readonly InputStep[], batch: number, batched: boolean): InputStep[] {
  if (!batched) return [...steps];
  return steps.map((_, index) =>
    joined(Array.from({ length: batch }, (_one, at) => steps[(index + at) % steps.length] ?? [])),
  );
}

function joined(steps: readonly InputStep[]): InputStep {
  const [first = []] = steps;
  return first.map((tensor) => {
    const parts = steps.map((step) => step.find(({ name }) => name === tensor.name));
    const bytes = parts.map((part) => {
      if (part !== undefined && part.shape.join() === tensor.shape.join()) return part.bytes;
      throw new NereidError("INVALID_ARGUMENT", `requests of one batch have different shapes for '${tensor.name}'`, {
        fix: "use -b 1, or input data of one shape",
      });
    });
    return { ...tensor, shape: [steps.length, ...tensor.shape], bytes: new Uint8Array(Buffer.concat(bytes)) };
  });
}
