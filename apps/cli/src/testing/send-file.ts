import { createHash } from "node:crypto";

export interface UploadEnd {
  /** Address of the uploads, as the API's document has it. */
  readonly endpoint: string;
  readonly key: string;
  readonly draft: string;
}

/** Sends one file by tus 1.0.0, as the API's document describes it: create, then the bytes. */
export async function sendFile({ endpoint, key, draft }: UploadEnd, path: string, bytes: Uint8Array): Promise<void> {
  const encode = (text: string) => Buffer.from(text).toString("base64");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const headers = { authorization: `Bearer ${key}`, "tus-resumable": "1.0.0" };
  const created = await fetch(endpoint, {
    method: "POST",
    headers: {
      ...headers,
      "upload-length": String(bytes.byteLength),
      "upload-metadata": `draft ${encode(draft)},path ${encode(path)},sha256 ${encode(sha256)}`,
    },
  });
  if (created.status !== 201) throw new Error(`create: ${created.status} ${await created.text()}`);
  const sent = await fetch(new URL(created.headers.get("location") ?? "", endpoint), {
    method: "PATCH",
    headers: { ...headers, "upload-offset": "0", "content-type": "application/offset+octet-stream" },
    body: Buffer.from(bytes),
  });
  if (sent.status !== 204) throw new Error(`send: ${sent.status} ${await sent.text()}`);
}
