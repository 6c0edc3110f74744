import type { ShapeInput, VersionShapes } from "@nereid/client";
import { editModelConfig, parseModelConfig } from "@nereid/model-config";
import { shapeText } from "./shape-words.ts";

/** The configuration with one warm-up sample more, of these shapes. Throws where the text has mistakes. */
export function withWarmUp(
  text: string,
  shapes: readonly ShapeInput[],
  { inputs, maxBatchSize }: Pick<VersionShapes, "inputs" | "maxBatchSize">,
): string {
  const samples = shapes.map(({ name, shape }) => {
    const datatype = inputs.find((input) => input.name === name)?.datatype ?? "FP32";
    const bytes = datatype === "BYTES";
    return [
      name,
      {
        data_type: `TYPE_${bytes ? "STRING" : datatype}`,
        dims: shape.map(Number),
        // Random texts there are none.
        ...(bytes ? { zero_data: true } : { random_data: true }),
      },
    ] as const;
  });
  return editModelConfig(parseModelConfig(text).document, [
    {
      op: "append",
      path: "model_warmup",
      value: {
        name: `seen: ${shapeText(shapes)}`,
        batch_size: maxBatchSize > 0 ? 1 : 0,
        inputs: Object.fromEntries(samples),
      },
    },
  ]);
}
