import { NereidError } from "@nereid/errors";
import { requestIdPrefix } from "@nereid/protocol";
import type { ValidRequest } from "../request/valid-request.ts";
import type { SequencePolicy } from "./sequence-policy.ts";

/**
 * What the sequence batcher asks of every request, whatever is going on: the type of the id, batch size 1, and an id unless the
 * server makes one. Throws INVALID_ARGUMENT with Triton's texts (scheduling.md §5, http.md §17).
 */
export function checkSequenceRequest(request: ValidRequest, policy: SequencePolicy, modelName: string): void {
  const id = request.sequence?.id;
  const given = hasSequenceId(request);
  const control = policy.controls.find(({ kind }) => kind === "corrid");
  if (given && control !== undefined) {
    const { name, datatype } = control.tensor;
    if ((typeof id === "string") !== (datatype === "BYTES")) {
      throw new NereidError(
        "INVALID_ARGUMENT",
        `${requestIdPrefix(request.id)}sequence batching control '${name}' data-type is ` +
          `'${typeof id === "string" ? "BYTES" : "UINT64"}', but model '${modelName}' expects '${datatype}'`,
      );
    }
  }
  if (request.batchSize !== 1) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `inference request to model '${modelName}' must specify batch-size 1 due to requirements of sequence batcher`,
    );
  }
  if (!given && !policy.iterative) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `inference request to model '${modelName}' must specify a non-zero or non-empty correlation ID`,
    );
  }
}

/** 0 and the empty text are no ids. */
export function hasSequenceId(request: ValidRequest): boolean {
  const id = request.sequence?.id;
  return id !== undefined && id !== 0n && id !== "";
}
