import { NereidError } from "@nereid/errors";

/** Names that mean something as parameters; a client must not be able to set them through a header (http.md §9). */
const RESERVED: ReadonlySet<string> = new Set([
  "sequence_id",
  "sequence_start",
  "sequence_end",
  "priority",
  "timeout",
  "headers",
  "binary_data_output",
]);

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * The request headers (or gRPC metadata) whose name the pattern finds, as request parameters by that name as received; of a
 * repeated name the last. INVALID_ARGUMENT for one that is reserved (http.md §9).
 */
export function forwardedParameters(
  headers: Iterable<readonly [string, string]>,
  pattern: RegExp,
): ReadonlyMap<string, string> {
  let found: Map<string, string> | undefined;
  for (const [name, value] of headers) {
    // `search` ignores `lastIndex`, whatever flags the pattern has.
    if (name.search(pattern) === -1) continue;
    if (RESERVED.has(name) || name.startsWith("triton_")) {
      throw new NereidError(
        "INVALID_ARGUMENT",
        `Header '${name}' is reserved for Triton usage and cannot be forwarded.`,
      );
    }
    found ??= new Map();
    found.set(name, value);
  }
  return found ?? NONE;
}
