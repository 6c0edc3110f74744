import { createHash } from "node:crypto";
import type { Draft } from "@nereid/client";

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly body: T;
}

/** Calls the drafts over HTTP, uploads included. */
export class DraftClient {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const response = await fetch(`${this.url}/nereid/v1${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as T };
  }

  async open(wishes: Record<string, unknown> = {}): Promise<string> {
    return (await this.call<Draft>("POST", "/drafts", { author: "ada", ...wishes })).body.id;
  }

  async begin(
    draft: string,
    file: { path: string; bytes: number; sha256?: string },
  ): Promise<Answer & { location: string }> {
    const encode = (text: string) => Buffer.from(text).toString("base64");
    const metadata = [`draft ${encode(draft)}`, `path ${encode(file.path)}`];
    if (file.sha256 !== undefined) metadata.push(`sha256 ${encode(file.sha256)}`);
    return this.tus("POST", "/nereid/v1/uploads", {
      "Upload-Length": String(file.bytes),
      "Upload-Metadata": metadata.join(","),
    });
  }

  async append(location: string, offset: number, body: Uint8Array): Promise<Answer & { location: string }> {
    const headers = { "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" };
    return this.tus("PATCH", location, headers, body);
  }

  async offset(location: string): Promise<number> {
    const response = await fetch(this.url + location, { method: "HEAD", headers: { "Tus-Resumable": "1.0.0" } });
    return Number(response.headers.get("upload-offset"));
  }

  async tus(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Uint8Array,
  ): Promise<Answer & { location: string }> {
    const response = await fetch(this.url + path, {
      method,
      headers: { "Tus-Resumable": "1.0.0", ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const isJson = text.startsWith("{");
    return {
      status: response.status,
      body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
      location: response.headers.get("location") ?? "",
    };
  }

  /** Uploads a whole file with its hash; returns the location. */
  async upload(draft: string, path: string, bytes: Uint8Array): Promise<string> {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const begun = await this.begin(draft, { path, bytes: bytes.byteLength, sha256 });
    if (begun.status !== 201) throw new Error(JSON.stringify(begun));
    const done = bytes.byteLength === 0 ? begun : await this.append(begun.location, 0, bytes);
    if (done.status > 204) throw new Error(JSON.stringify(done));
    return begun.location;
  }

  /** Checks a draft and waits for the outcome. */
  async check(draft: string): Promise<Draft> {
    const begun = await this.call<Draft>("POST", `/drafts/${draft}/check`);
    if (begun.status !== 200) throw new Error(JSON.stringify(begun));
    let now = begun.body;
    while (now.state === "checking") {
      await new Promise((resolve) => setTimeout(resolve, 10));
      now = (await this.call<Draft>("GET", `/drafts/${draft}`)).body;
    }
    return now;
  }
}
