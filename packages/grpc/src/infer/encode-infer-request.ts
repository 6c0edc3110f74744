import { NereidError } from "@nereid/errors";
import type { InferRequest, ParameterValue, SharedMemoryReference } from "@nereid/protocol";
import { PREFIX_BYTES } from "../framing/frame-prefix.ts";
import { LENGTH, VARINT } from "../wire/proto-reader.ts";
import { ProtoWriter, varintSize } from "../wire/proto-writer.ts";
import type { EncodedFrame } from "./encode-infer-response.ts";

export interface InferRequestTarget {
  readonly modelName: string;
  /** Empty = the server's choice. */
  readonly modelVersion: string;
  /** Ask a decoupled model for a response that only says that it was the last. */
  readonly emptyFinalResponse?: boolean;
}

const COPY_LIMIT = 64 * 1024;
const RAW_INPUT = 7;

const writer = new ProtoWriter(4096);

/** A framed ModelInferRequest: tensors always as raw contents, behind the head where they lie. */
export function encodeInferMessage(request: InferRequest, target: InferRequestTarget): EncodedFrame {
  const tensors: Uint8Array[] = [];
  for (const { data } of request.inputs) if (data.kind === "bytes") tensors.push(data.bytes);
  const outside = tensors.reduce((sum, { byteLength }) => sum + 1 + varintSize(byteLength) + byteLength, 0);
  writer.reset();
  writer.reserve(PREFIX_BYTES);
  writeHead(request, target);
  const length = writer.length - PREFIX_BYTES + outside;
  writer.patchUint32(1, Math.min(length, 0xffff_ffff));
  const byteLength = length + PREFIX_BYTES;
  if (outside <= COPY_LIMIT) {
    for (const bytes of tensors) {
      writer.tag(RAW_INPUT, LENGTH);
      writer.varint(bytes.byteLength);
      writer.raw(bytes);
    }
    return { pieces: [writer.copy()], byteLength, copied: true };
  }
  const pieces: Uint8Array[] = [writer.copy()];
  for (const bytes of tensors) {
    const start = writer.length;
    writer.tag(RAW_INPUT, LENGTH);
    writer.varint(bytes.byteLength);
    pieces.push(writer.copyFrom(start));
    if (bytes.byteLength > 0) pieces.push(bytes);
  }
  return { pieces, byteLength, copied: false };
}

function writeHead(request: InferRequest, { modelName, modelVersion, emptyFinalResponse }: InferRequestTarget): void {
  writer.string(1, modelName);
  writer.string(2, modelVersion);
  writer.string(3, request.id);
  writeControls(request);
  if (emptyFinalResponse === true) parameter(4, "triton_enable_empty_final_response", true);
  for (const [key, value] of request.modelParameters) parameter(4, key, value);
  for (const { name, datatype, shape, data } of request.inputs) {
    const start = writer.begin(5);
    writer.string(1, name);
    writer.string(2, datatype);
    if (shape.length > 0) {
      const dims = writer.begin(3);
      for (const dim of shape) writer.signed(dim);
      writer.end(dims);
    }
    if (data.kind === "shm") sharedMemory(4, data);
    writer.end(start);
  }
  for (const { name, classification, shm } of request.outputs) {
    const start = writer.begin(6);
    writer.string(1, name);
    if (classification > 0) parameter(2, "classification", BigInt(classification));
    if (shm !== undefined) sharedMemory(2, shm);
    writer.end(start);
  }
}

function writeControls({ controls }: InferRequest): void {
  const { sequenceId } = controls;
  if (sequenceId !== undefined) {
    parameter(4, "sequence_id", sequenceId);
    parameter(4, "sequence_start", controls.sequenceStart);
    parameter(4, "sequence_end", controls.sequenceEnd);
  }
  if (controls.priority !== 0n) unsignedParameter(4, "priority", controls.priority);
  if (controls.timeoutMicroseconds !== 0n) parameter(4, "timeout", controls.timeoutMicroseconds);
}

function sharedMemory(field: number, { region, offset, byteSize }: SharedMemoryReference): void {
  parameter(field, "shared_memory_region", region);
  parameter(field, "shared_memory_byte_size", BigInt(byteSize));
  if (offset !== 0) parameter(field, "shared_memory_offset", BigInt(offset));
}

function parameter(field: number, key: string, value: ParameterValue): void {
  const entry = writer.begin(field);
  writer.string(1, key);
  const start = writer.begin(2);
  switch (typeof value) {
    case "boolean":
      writer.bool(1, value);
      break;
    case "bigint":
      writer.tag(2, VARINT);
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

function unsignedParameter(field: number, key: string, value: bigint): void {
  if (value < 0n) throw new NereidError("INVALID_ARGUMENT", `'${key}' must not be negative`);
  const entry = writer.begin(field);
  writer.string(1, key);
  const start = writer.begin(2);
  writer.tag(5, VARINT);
  writer.big(value);
  writer.end(start);
  writer.end(entry);
}
