const MAX_VERSION = 2n ** 63n - 1n;

/** A version as its number is written, `01` as `1`; undefined for what is none: other than digits, or above 2^63 - 1. Pure. */
export function plainVersion(text: string): string | undefined {
  if (!/^\d{1,19}$/.test(text)) return undefined;
  const version = BigInt(text);
  return version > MAX_VERSION ? undefined : String(version);
}
