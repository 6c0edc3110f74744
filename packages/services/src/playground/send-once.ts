import type { InferCall } from "@nereid/client";
import { callInputs } from "./generate-body.ts";
import { readOutputs } from "./read-output.ts";
import { readServerTiming } from "./server-timing.ts";
import type { TryRequest } from "./try-input.ts";
import type { TryAnswer } from "./try-model.ts";
import type { TensorHead, TryWay } from "./try-way.ts";

export interface TryCall {
  readonly way: TryWay;
  readonly wanted: TryRequest & { readonly model: string };
  readonly requestId: string;
  readonly timeoutMs: number;
}

/** Of these the classification extension tells no classes. */
const WITHOUT_CLASSES = ["BOOL", "FP16", "BF16", "BYTES"];

/** One request to a model that answers once. Throws what the server says. */
export async function sendOnce({ way, wanted, requestId, timeoutMs }: TryCall): Promise<TryAnswer> {
  const { model, version, inputs, parameters, classification } = wanted;
  const classified = classification === 0 ? [] : classifiable(way.outputs);
  const call: InferCall = {
    id: requestId,
    inputs: callInputs(inputs),
    parameters,
    ...(classified.length > 0 && {
      outputs: way.outputs.map(({ name }) => ({ name, ...(classified.includes(name) && { classification }) })),
    }),
  };
  const options = { timeoutMs, ...(version !== undefined && { version }) };
  let timing: string | null = null;
  const answer =
    way.grpc === undefined
      ? await way.node.infer(model, call, {
          ...options,
          headers: { "nereid-timing": "1" },
          onHeaders: (headers) => {
            timing = headers.get("server-timing");
          },
        })
      : await way.grpc.infer(model, call, options);
  const phases = readServerTiming(timing);
  return {
    version: answer.modelVersion,
    outputs: readOutputs(answer, new Set(classified)),
    phases,
    noPhases: phases === null ? whyNoPhases(way) : null,
    steps: null,
    cutShort: null,
  };
}

function classifiable(outputs: readonly TensorHead[]): string[] {
  return outputs.filter(({ datatype }) => !WITHOUT_CLASSES.includes(datatype)).map(({ name }) => name);
}

/** Why the server told no phases, in words. Pure. */
export function whyNoPhases({ kind, grpc }: Pick<TryWay, "kind" | "grpc">): string {
  if (kind === "triton") return "A Triton server does not tell the phases of one request.";
  if (grpc !== undefined) return "The server tells the phases of a request over HTTP only.";
  return "The server told no phases of this request.";
}
