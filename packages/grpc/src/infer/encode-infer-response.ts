import type { InferResponse, ParameterValue } from "@nereid/protocol";
import { frameHeader, PREFIX_BYTES } from "../framing/frame-prefix.ts";
import { LENGTH } from "../wire/proto-reader.ts";
import { ProtoWriter, varintSize } from "../wire/proto-writer.ts";

/** A framed message as it goes to the socket: heads, and tensors where they lie. */
export interface EncodedFrame {
  readonly pieces: readonly Uint8Array[];
  /** Of all pieces, the 5-byte prefix included. */
  readonly byteLength: number;
  /** True when the pieces are copies: the tensors they came from are no longer needed. */
  readonly copied: boolean;
}

/** Tensors that together are no larger are copied behind the head: one write instead of many. */
const COPY_LIMIT = 64 * 1024;

const RAW_OUTPUT = 6;
const INFER_RESPONSE = 2;
const ERROR_MESSAGE = 1;

/** One is enough: nothing is awaited between the first byte and the copy. */
const writer = new ProtoWriter(4096);

/** A ModelInferResponse (grpc.md §4) behind its frame prefix: contents are always raw, one entry for each output. */
export function encodeInferResponse(response: InferResponse): EncodedFrame {
  return frame(response, (outside) => writeResponse(response, outside, undefined));
}

/** The same inside a ModelStreamInferResponse, with `triton_final_response`; undefined leaves the parameter out. */
export function encodeStreamResponse(response: InferResponse, final: boolean | undefined): EncodedFrame {
  return frame(response, (outside) => {
    const start = writer.begin(INFER_RESPONSE);
    const size = writeResponse(response, outside, final);
    writer.end(start, outside ? size : 0);
    return size;
  });
}

/** What a stream answers for a request that failed (grpc.md §5). */
export interface StreamFailure {
  readonly message: string;
  readonly id: string;
  /** As in the request; with the final flag, only for failures of an inference that had begun. */
  readonly inference?: { readonly modelName: string; readonly modelVersion: string; readonly final: boolean };
}

/** A ModelStreamInferResponse with an error. */
export function encodeStreamFailure({ message, id, inference }: StreamFailure): EncodedFrame {
  writer.reset();
  const prefix = writer.reserve(PREFIX_BYTES);
  writer.string(ERROR_MESSAGE, message);
  const start = writer.begin(INFER_RESPONSE);
  if (inference !== undefined) {
    writer.string(1, inference.modelName);
    writer.string(2, inference.modelVersion);
  }
  writer.string(3, id);
  if (inference !== undefined) writeParameter("triton_final_response", inference.final);
  writer.end(start);
  writer.patchUint32(prefix + 1, writer.length - PREFIX_BYTES);
  return single(writer.copy());
}

/** Any other message, already encoded. */
export function encodeFrame(message: Uint8Array): EncodedFrame {
  const bytes = Buffer.concat([frameHeader(message.byteLength), message]);
  return single(bytes);
}

function single(bytes: Buffer): EncodedFrame {
  return { pieces: [bytes], byteLength: bytes.byteLength, copied: true };
}

/** `write` writes the message; told that tensors stay outside, it returns the bytes that they and their heads take. */
function frame({ outputs }: InferResponse, write: (outside: boolean) => number): EncodedFrame {
  let tensorBytes = 0;
  for (const { bytes } of outputs) tensorBytes += bytes.byteLength;
  writer.reset();
  const prefix = writer.reserve(PREFIX_BYTES);
  if (tensorBytes <= COPY_LIMIT) {
    write(false);
    writer.patchUint32(prefix + 1, writer.length - PREFIX_BYTES);
    return single(writer.copy());
  }
  const outside = write(true);
  const length = writer.length - PREFIX_BYTES + outside;
  // A message of 4 GiB cannot be framed; whoever sends it has a lower limit.
  writer.patchUint32(prefix + 1, Math.min(length, 0xffff_ffff));
  const pieces: Uint8Array[] = [writer.copy()];
  for (const { bytes } of outputs) {
    const start = writer.length;
    writer.tag(RAW_OUTPUT, LENGTH);
    writer.varint(bytes.byteLength);
    pieces.push(writer.copyFrom(start));
    if (bytes.byteLength > 0) pieces.push(bytes);
  }
  return { pieces, byteLength: length + PREFIX_BYTES, copied: false };
}

/** Returns the bytes of the raw entries with their heads. */
function writeResponse(response: InferResponse, outside: boolean, final: boolean | undefined): number {
  writer.string(1, response.modelName);
  writer.string(2, response.modelVersion);
  writer.string(3, response.id);
  for (const [key, value] of response.parameters ?? []) writeParameter(key, value);
  if (final !== undefined) writeParameter("triton_final_response", final);
  for (const { name, datatype, shape } of response.outputs) {
    const start = writer.begin(5);
    writer.string(1, name);
    writer.string(2, datatype);
    if (shape.length > 0) {
      const dims = writer.begin(3);
      for (const dim of shape) writer.signed(dim);
      writer.end(dims);
    }
    writer.end(start);
  }
  let size = 0;
  for (const { bytes } of response.outputs) {
    size += 1 + varintSize(bytes.byteLength) + bytes.byteLength;
    if (outside) continue;
    writer.tag(RAW_OUTPUT, LENGTH);
    writer.varint(bytes.byteLength);
    writer.raw(bytes);
  }
  return size;
}

function writeParameter(key: string, value: ParameterValue): void {
  const entry = writer.begin(4);
  writer.string(1, key);
  const start = writer.begin(2);
  switch (typeof value) {
    case "boolean":
      writer.bool(1, value);
      break;
    case "bigint":
      writer.tag(2, 0);
      writer.big(value);
      break;
    case "string":
      writer.element(3, value);
      break;
    default:
      writer.double(4, value);
  }
  writer.end(start);
  writer.end(entry);
}
