import { NereidError } from "@nereid/errors";

const INT64_MAX = 2n ** 63n - 1n;

/**
 * The version a request names, without leading zeros; undefined for "" (the server's choice). INVALID_ARGUMENT, by Triton's texts,
 * when it is no whole number.
 */
export function parseModelVersion(text: string): string | undefined {
  if (text === "") return undefined;
  if (!/^-?\d{1,30}$/.test(text)) throw unreadable(text, "stoll");
  const version = BigInt(text);
  if (version > INT64_MAX || version < -INT64_MAX) throw unreadable(text, "stoll: out of range");
  if (version < 0n) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `invalid model version specified '${text}' , version should be an integral value > 0`,
    );
  }
  return String(version);
}

function unreadable(text: string, why: string): NereidError {
  return new NereidError(
    "INVALID_ARGUMENT",
    `failed to get model version from specified version string '${text.slice(0, 100)}' (details: ${why}), version should be an integral value > 0`,
  );
}
