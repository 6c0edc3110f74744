import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { NereidError } from "@nereid/errors";
import { Upload } from "tus-js-client";
import type { FileToPush } from "./files-to-push.ts";

const CHUNK_BYTES = 16 << 20;

export interface UploadTarget {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly draft: string;
}

/** Sends one file by tus, in pieces that are sent again when the connection breaks. `onProgress` gets the bytes sent so far. */
export async function uploadFile(
  file: FileToPush,
  target: UploadTarget,
  onProgress: (sent: number) => void,
): Promise<void> {
  const sha256 = await hashOf(file.file);
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(createReadStream(file.file), {
      endpoint: target.endpoint,
      headers: { ...target.headers },
      metadata: { draft: target.draft, path: file.path, sha256 },
      chunkSize: CHUNK_BYTES,
      uploadSize: file.bytes,
      retryDelays: [0, 500, 1500, 3000, 6000],
      onProgress: (sent) => onProgress(sent),
      onSuccess: () => resolve(),
      onError: (error) => reject(refusalOf(error, file.path)),
    });
    upload.start();
  });
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}

/** What the server said, where it said something. */
function refusalOf(error: Error, path: string): NereidError {
  const response = "originalResponse" in error ? error.originalResponse : undefined;
  const body =
    typeof response === "object" && response !== null && "getBody" in response && typeof response.getBody === "function"
      ? String(response.getBody())
      : "";
  let said = body.trim();
  try {
    const parsed = JSON.parse(body) as { detail?: string; error?: string };
    said = parsed.detail ?? parsed.error ?? said;
  } catch {
    // Not JSON: the text itself is what was said.
  }
  return new NereidError("INVALID_ARGUMENT", `'${path}' was not uploaded: ${said || error.message}`, { cause: error });
}
