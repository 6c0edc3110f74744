import { ERROR_CODES, type ErrorCode, NereidError } from "@nereid/errors";
import { byteSizeOf, countBytesElements, isDatatype } from "@nereid/protocol";
import type { RespondReply, TensorRef } from "../runner-protocol/messages.ts";
import { fromWireParameters } from "../runner-protocol/parameters.ts";
import type { SlabBlock } from "../shm/slab.ts";
import type { ResponseTensor, RunnerResponse } from "./requests-execution.ts";

/** Error classes of the inference protocol; a runner has no others. */
const CODES: ReadonlySet<string> = new Set(ERROR_CODES.slice(0, 8));

export type ResponseContent = Omit<RunnerResponse, "release">;

/**
 * Checks a runner's response and makes views of its outputs, all of which must lie in `memory`. RangeError when anything is not
 * as the protocol says: a runner that errs here may err anywhere.
 */
export function readResponse(reply: RespondReply, memory: SlabBlock | undefined): ResponseContent {
  const { final, reschedule, error, parameters } = reply;
  if (typeof final !== "boolean" || !Array.isArray(reply.outputs)) throw new RangeError("a response is malformed");
  if (reschedule === true && !final) throw new RangeError("a rescheduled request has no final response");
  return {
    outputs: reply.outputs.map((ref: TensorRef) => tensorOf(ref, memory)),
    ...(parameters !== undefined && { parameters: fromWireParameters(parameters) }),
    ...(error !== undefined && { error: new NereidError(codeOf(error.code), String(error.message)) }),
    final,
    reschedule: reschedule === true,
  };
}

function codeOf(code: string): ErrorCode {
  return CODES.has(code) ? (code as ErrorCode) : "INTERNAL";
}

function tensorOf(ref: TensorRef, memory: SlabBlock | undefined): ResponseTensor {
  const { name, datatype, shape, segment, offset, byteLength } = ref;
  if (typeof name !== "string" || !isDatatype(datatype)) throw new RangeError("an output of a response is malformed");
  if (!Array.isArray(shape) || !shape.every((dim) => Number.isSafeInteger(dim) && dim >= 0))
    throw new RangeError(`output '${name}' of a response has no valid shape`);
  if (
    memory === undefined ||
    segment !== memory.segment ||
    !Number.isSafeInteger(offset) ||
    !Number.isSafeInteger(byteLength) ||
    byteLength < 0 ||
    offset % Math.max(1, byteSizeOf(datatype)) !== 0 ||
    offset < memory.offset ||
    offset + byteLength > memory.offset + memory.byteLength
  )
    throw new RangeError(`output '${name}' of a response does not lie, aligned, in the memory granted for it`);
  const start = offset - memory.offset;
  const bytes = memory.bytes.subarray(start, start + byteLength);
  const elements = shape.reduce((product, dim) => product * dim, 1);
  const fits =
    datatype === "BYTES" ? countBytesElements(bytes) === elements : byteLength === elements * byteSizeOf(datatype);
  if (!fits) throw new RangeError(`output '${name}' of a response has ${byteLength} bytes for shape [${shape}]`);
  return { ref: { name, datatype, shape, segment, offset, byteLength }, bytes };
}
