import type { InferAnswer, ServedVersion } from "@nereid/inference-worker";
import type { InferRequest } from "@nereid/protocol";

const NS_PER_US = 1000;
const MOST_TENSORS = 16;

/** What is logged about one inference where more is asked for: what came, and how long each phase took. No tensor contents. */
export function inferenceDetail(
  { spec }: Pick<ServedVersion, "spec">,
  request: InferRequest,
  moments?: InferAnswer["moments"],
): Readonly<Record<string, unknown>> {
  return {
    model: spec.name,
    version: spec.version,
    requestId: request.id,
    inputs: request.inputs.slice(0, MOST_TENSORS).map(({ name, datatype, shape }) => ({ name, datatype, shape })),
    outputs: request.outputs.slice(0, MOST_TENSORS).map(({ name }) => name),
    ...(moments !== undefined && {
      queueUs: us(moments.queueStartNs, moments.computeStartNs),
      inputUs: us(moments.computeStartNs, moments.inputEndNs),
      inferUs: us(moments.inputEndNs, moments.outputStartNs),
      outputUs: us(moments.outputStartNs, moments.endNs),
    }),
  };
}

function us(fromNs: number, toNs: number): number {
  return Math.round((toNs - fromNs) / NS_PER_US);
}
