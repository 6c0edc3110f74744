import { NereidError } from "@nereid/errors";

/** Objects of servers like this one, and of Triton's Python backend. Clients must not reach them (CVE-2025-23320 and after). */
const RESERVED = ["nereid-", "triton_python_backend_shm_region_"];

/**
 * Name of the object that a key stands for: leading slashes do not count. INVALID_ARGUMENT for a key of slashes only and for
 * reserved names, with Triton's texts (http.md §11).
 */
export function objectNameOf(key: string, region: string): string {
  const name = key.replace(/^\/+/, "");
  if (name === "" || name === "." || name === "..") {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `cannot register shared memory region '${region}' - invalid shm key '${key}'`,
    );
  }
  const prefix = RESERVED.find((candidate) => name.startsWith(candidate));
  if (prefix !== undefined) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `cannot register shared memory region '${region}' with key '${key}' as the key contains the reserved prefix '${prefix}'`,
    );
  }
  return name;
}
