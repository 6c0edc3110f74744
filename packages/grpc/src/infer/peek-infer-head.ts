import { NereidError } from "@nereid/errors";
import { LENGTH, ProtoReader } from "../wire/proto-reader.ts";

/** What the beginning of a ModelInferRequest says of where its tensors should be received. */
export interface InferHead {
  readonly modelName: string;
  readonly modelVersion: string;
  /** Where the first raw tensor's bytes begin, counted from the start of the message. */
  readonly tensorOffset: number;
}

/**
 * Looks at the first bytes of a ModelInferRequest up to its first raw tensor; undefined when they do not reach that far, or say
 * something else. Writers put the fields in the order of their numbers, so the names come first.
 */
export function peekInferHead(firstBytes: Uint8Array): InferHead | undefined {
  try {
    const reader = new ProtoReader(firstBytes);
    let modelName = "";
    let modelVersion = "";
    for (let field = reader.next(); field !== 0; field = reader.next()) {
      if (field === 1) modelName = reader.string("model_name");
      else if (field === 2) modelVersion = reader.string("model_version");
      else if (field === 7) {
        reader.expect(LENGTH, "raw_input_contents");
        reader.varint();
        return { modelName, modelVersion, tensorOffset: reader.pos };
      } else reader.skip(field);
    }
  } catch (error) {
    // Cut off in the middle of a field, or broken: whoever reads the whole message will say so.
    if (!(error instanceof NereidError)) throw error;
  }
  return undefined;
}
