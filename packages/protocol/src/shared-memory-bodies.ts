import { NereidError } from "@nereid/errors";
import { decodeBase64 } from "./base64.ts";
import { asObject, asString, asUnsigned, memberOr } from "./json-access.ts";
import { type JsonNode, type JsonObject, readJsonDocument } from "./json-document.ts";
import { type JsonSchema, objectOf } from "./json-schema.ts";
import { inOneGo } from "./slices.ts";

export interface SystemSharedMemoryBody {
  readonly key: string;
  readonly offset: number;
  readonly byteSize: number;
}

export interface CudaSharedMemoryBody {
  /** A `cudaIpcMemHandle_t`: 64 bytes. */
  readonly rawHandle: Uint8Array;
  readonly deviceId: number;
  readonly byteSize: number;
}

/** A region as the status calls list it. */
export type SharedMemoryStatus =
  | {
      readonly kind: "system";
      readonly name: string;
      readonly key: string;
      readonly offset: number;
      readonly byteSize: number;
    }
  | { readonly kind: "cuda"; readonly name: string; readonly deviceId: number; readonly byteSize: number };

const HANDLE_BYTES = 64;
const BAD_HANDLE = "'raw_handle' must be a valid base64 encoded cudaIpcMemHandle_t";

const SYSTEM: JsonSchema = objectOf({ key: "scalar", offset: "scalar", byte_size: "scalar" });
const CUDA: JsonSchema = objectOf({
  raw_handle: objectOf({ b64: "scalar" }),
  device_id: "scalar",
  byte_size: "scalar",
});

/** Body of `POST /v2/systemsharedmemory/region/R/register` (http.md §11). INVALID_ARGUMENT for a missing member, INTERNAL for a wrong type. */
export function parseSystemSharedMemoryBody(body: Uint8Array): SystemSharedMemoryBody {
  const root = asObject(inOneGo(readJsonDocument(body, SYSTEM)), "key");
  return {
    key: asString(required(root, "key"), "key"),
    offset: Number(asUnsigned(memberOr(root, "offset", 0n), "offset")),
    byteSize: Number(asUnsigned(required(root, "byte_size"), "byte_size")),
  };
}

/** Body of `POST /v2/cudasharedmemory/region/R/register` (http.md §11). Errors as for the system's. */
export function parseCudaSharedMemoryBody(body: Uint8Array): CudaSharedMemoryBody {
  const root = asObject(inOneGo(readJsonDocument(body, CUDA)), "raw_handle");
  const handle = asObject(required(root, "raw_handle"), "raw_handle").get("b64");
  if (handle === undefined) throw new NereidError("INVALID_ARGUMENT", BAD_HANDLE);
  const rawHandle = decodeBase64(asString(handle, "b64"));
  if (rawHandle?.byteLength !== HANDLE_BYTES) throw new NereidError("INVALID_ARGUMENT", BAD_HANDLE);
  return {
    rawHandle,
    deviceId: Number(asUnsigned(required(root, "device_id"), "device_id")),
    byteSize: Number(asUnsigned(required(root, "byte_size"), "byte_size")),
  };
}

/** Body of the status calls: a bare array (http.md §11). */
export function sharedMemoryStatusJson(regions: readonly SharedMemoryStatus[]): string {
  return JSON.stringify(
    regions.map((region) =>
      region.kind === "system"
        ? { name: region.name, key: region.key, offset: region.offset, byte_size: region.byteSize }
        : { name: region.name, device_id: region.deviceId, byte_size: region.byteSize },
    ),
  );
}

function required(root: JsonObject, member: string): JsonNode {
  const node = root.get(member);
  if (node !== undefined) return node;
  throw new NereidError("INVALID_ARGUMENT", `Shared memory register request has no '${member}' field`);
}
