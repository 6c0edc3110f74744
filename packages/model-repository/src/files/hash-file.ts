import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

const CHUNK_BYTES = 256 * 1024;

/** SHA-256 (hex) of a file, streamed. System errors pass through. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) hash.update(chunk);
  return hash.digest("hex");
}

/** SHA-256 (hex) of a text; empty for no text, as the configuration API has it. */
export function digestOfText(text: string | null): string {
  return text === null ? "" : createHash("sha256").update(text).digest("hex");
}
