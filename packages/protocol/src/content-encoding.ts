import { NereidError } from "@nereid/errors";

export type ContentEncoding = "identity" | "gzip" | "deflate";

const KNOWN: readonly string[] = ["identity", "gzip", "deflate"] satisfies ContentEncoding[];

/** Value of the response header `Accept-Encoding` that goes with the 501 of `parseRequestEncoding`. */
export const SUPPORTED_REQUEST_ENCODINGS = "gzip, deflate";

/**
 * Encoding for a response: the known entry of Accept-Encoding with the highest quality, the first of equals; unknown
 * and malformed entries are skipped; identity when nothing is left (http.md §15).
 */
export function negotiateResponseEncoding(acceptEncoding: string | undefined): ContentEncoding {
  let best: ContentEncoding = "identity";
  let bestQuality = 0;
  for (const entry of (acceptEncoding ?? "").split(",")) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const quality = qualityOf(parameters);
    if (!isEncoding(name) || quality === undefined || quality <= bestQuality) continue;
    best = name;
    bestQuality = quality;
  }
  return best;
}

/** Content-Encoding of a request. Throws UNSUPPORTED for anything but gzip, deflate, identity and none. */
export function parseRequestEncoding(contentEncoding: string | undefined): ContentEncoding {
  const name = contentEncoding === undefined || contentEncoding === "" ? "identity" : contentEncoding;
  if (isEncoding(name)) return name;
  throw new NereidError("UNSUPPORTED", "Unsupported compression type");
}

function isEncoding(name: string): name is ContentEncoding {
  return KNOWN.includes(name);
}

/** Quality of an entry, 1 without one; undefined when it is malformed. */
function qualityOf(parameters: readonly string[]): number | undefined {
  const [first] = parameters;
  if (first === undefined) return 1;
  const digits = /^q\s*=\s*(\d(?:\.\d*)?)$/.exec(first)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
