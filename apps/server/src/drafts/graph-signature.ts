import type { GraphSummary } from "@nereid/client";
import type { OnnxSignature, OnnxTensor } from "@nereid/model-config";
import { isDatatype } from "@nereid/protocol";

/** The signature of a graph; undefined when a tensor has a type that the V2 protocol cannot carry. Pure. */
export function signatureOf(graph: GraphSummary): OnnxSignature | undefined {
  const inputs = tensorsOf(graph.inputs);
  const outputs = tensorsOf(graph.outputs);
  return inputs === undefined || outputs === undefined ? undefined : { inputs, outputs };
}

function tensorsOf(tensors: GraphSummary["inputs"]): OnnxTensor[] | undefined {
  const known: OnnxTensor[] = [];
  for (const { name, datatype, dims } of tensors) {
    if (!isDatatype(datatype)) return undefined;
    known.push({ name, datatype, dims });
  }
  return known;
}
