import { NereidError } from "@nereid/errors";
import type { SharedMemoryReference } from "@nereid/protocol";
import type { WireParameter, WireParameters } from "./infer-message.ts";

const REGION = "shared_memory_region";
const OFFSET = "shared_memory_offset";
const BYTE_SIZE = "shared_memory_byte_size";

/** The shared-memory window of a tensor (grpc.md §4); undefined when it names no region. INVALID_ARGUMENT by Triton's texts. */
export function sharedMemoryOf(
  parameters: WireParameters | undefined,
  tensor: string,
): SharedMemoryReference | undefined {
  if (parameters === undefined) return undefined;
  const region = parameters.get(REGION);
  const offset = parameters.get(OFFSET);
  const byteSize = parameters.get(BYTE_SIZE);
  if (region === undefined) {
    for (const [key, value] of [
      [OFFSET, offset],
      [BYTE_SIZE, byteSize],
    ] as const) {
      if (value !== undefined)
        throw invalid(`'${key}' can not be specified without '${REGION}' parameter for tensor '${tensor}'`);
    }
    return undefined;
  }
  if (region.kind !== "string") throw wrongType(REGION, tensor, "string_param");
  if (byteSize === undefined)
    throw invalid(`'${BYTE_SIZE}' must be specified along with '${REGION}' parameter for tensor '${tensor}'`);
  return {
    region: region.value,
    offset: offset === undefined ? 0 : unsigned(OFFSET, tensor, offset),
    byteSize: unsigned(BYTE_SIZE, tensor, byteSize),
  };
}

/** Number of classes that an output asks for; 0 = the plain tensor. */
export function classesOf(parameters: WireParameters | undefined): number {
  const value = parameters?.get("classification");
  if (value === undefined) return 0;
  if (value.kind !== "int64") throw invalid("invalid value type for 'classification' parameter, expected int64_param");
  if (value.value <= 0n) throw invalid("invalid value for 'classification' parameter, expected >= 0");
  return Number(value.value);
}

/** A negative number becomes a huge one, which no region has. */
function unsigned(key: string, tensor: string, value: WireParameter): number {
  if (value.kind !== "int64") throw wrongType(key, tensor, "int64_param");
  return Number(BigInt.asUintN(64, value.value));
}

function wrongType(key: string, tensor: string, expected: string): NereidError {
  return invalid(`invalid value type for '${key}' parameter for tensor '${tensor}', expected ${expected}.`);
}

function invalid(text: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", text);
}
