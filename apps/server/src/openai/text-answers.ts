import { answersOf, type InferAnswer, type InferTicket } from "@nereid/inference-worker";
import { decodeTensorValues, isDatatype, type OutputTensor } from "@nereid/protocol";

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** What one answer of a model adds to the text. */
export interface TextPiece {
  readonly text: string;
  readonly finishReason: string | undefined;
  readonly usage: Usage | undefined;
}

/** The answers of a text model, one after the other; their memory is given back at once. `seen` is told of each. */
export async function* textPieces(
  ticket: InferTicket,
  textOutput: string,
  seen: (answer: InferAnswer) => void,
): AsyncGenerator<TextPiece> {
  for await (const answer of answersOf(ticket)) {
    seen(answer);
    let piece: TextPiece;
    try {
      piece = readPiece(answer.response.outputs, textOutput);
    } finally {
      answer.release();
    }
    yield piece;
  }
}

/** A text output may have several elements, which belong together. */
function readPiece(outputs: readonly OutputTensor[], textOutput: string): TextPiece {
  const [finishReason] = textsOf(outputs, "finish_reason");
  const prompt = numberOf(outputs, "prompt_tokens");
  const completion = numberOf(outputs, "completion_tokens");
  const known = prompt !== undefined && completion !== undefined;
  return {
    text: textsOf(outputs, textOutput).join(""),
    finishReason: finishReason === "" ? undefined : finishReason,
    usage: known
      ? { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
      : undefined,
  };
}

/** The first value of a numeric output; undefined when the answer has none. */
export function numberOf(outputs: readonly OutputTensor[], name: string): number | undefined {
  const output = outputs.find((candidate) => candidate.name === name);
  if (output === undefined || !isDatatype(output.datatype) || output.datatype === "BYTES") return undefined;
  const [value] = decodeTensorValues(output.datatype, output.bytes);
  return value === undefined ? undefined : Number(value);
}

function textsOf(outputs: readonly OutputTensor[], name: string): string[] {
  const output = outputs.find((candidate) => candidate.name === name);
  if (output === undefined || output.datatype !== "BYTES") return [];
  const values = decodeTensorValues("BYTES", output.bytes);
  return Array.isArray(values) ? values.map((element) => Buffer.from(element as Uint8Array).toString("utf8")) : [];
}
