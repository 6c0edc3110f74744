import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ALL_SCOPES, type Product, startProduct } from "../testing/product.ts";

const HUGE_BYTES = 2 * 2 ** 30;
/** What either process may grow by; many times less than what it is sent. */
const MOST_GROWTH_BYTES = 64 << 20;
/** As the dashboard and `nereid models push` send. */
const CHUNK_BYTES = 16 << 20;

let product: Product;
let key: string;
beforeAll(async () => {
  product = await startProduct();
  key = await product.key(ALL_SCOPES);
});
afterAll(() => product?.close());

type Process = keyof Product["pids"];

/** Forgets the peak so far and answers what is resident now, in bytes. */
function beginPeak(name: Process): number {
  writeFileSync(`/proc/${product.pids[name]}/clear_refs`, "5");
  return memory(name, "VmRSS");
}

function memory(name: Process, field: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${product.pids[name]}/status`, "utf8");
  return 1024 * Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]);
}

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${product.web}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === "" ? {} : JSON.parse(text)) as T;
}

/** A file of holes: it has its size and takes no room. */
function sparseFile(name: string, bytes: number): string {
  const path = join(product.directory, name);
  writeFileSync(path, "");
  truncateSync(path, bytes);
  return path;
}

/** Sends a file by tus in chunks; answers its SHA-256. */
async function upload(file: string, draft: string): Promise<string> {
  const total = statSync(file).size;
  const encode = (text: string) => Buffer.from(text).toString("base64");
  const headers = { authorization: `Bearer ${key}`, "tus-resumable": "1.0.0" };
  const created = await fetch(`${product.web}/api/v1/uploads`, {
    method: "POST",
    headers: {
      ...headers,
      "upload-length": String(total),
      "upload-metadata": `draft ${encode(draft)},path ${encode(basename(file))}`,
    },
  });
  const location = new URL(created.headers.get("location") ?? "", product.web);
  const hash = createHash("sha256");
  const descriptor = openSync(file, "r");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let offset = 0; offset < total; ) {
    const bytes = readSync(descriptor, chunk, 0, CHUNK_BYTES, offset);
    hash.update(chunk.subarray(0, bytes));
    const sent = await fetch(location, {
      method: "PATCH",
      headers: { ...headers, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
      body: chunk.subarray(0, bytes),
    });
    if (sent.status !== 204) throw new Error(`at ${offset}: ${sent.status} ${await sent.text()}`);
    offset += bytes;
  }
  closeSync(descriptor);
  return hash.digest("hex");
}

interface DraftView {
  readonly id: string;
  readonly state: string;
  readonly uploads: readonly { readonly receivedBytes: number; readonly sha256: string | null }[];
  readonly problem: { readonly message: string } | null;
}

const growth = (name: Process, from: number) => memory(name, "VmHWM") - from;
const open = () => call<DraftView>("POST", "/drafts", {});

it("2 GiB, the first upload of two fresh processes, go through both in pieces, and neither holds them in memory", async () => {
  const draft = await open();
  const file = sparseFile("huge.onnx", HUGE_BYTES);
  const before = { web: beginPeak("web"), server: beginPeak("server") };
  const sha256 = await upload(file, draft.id);
  await call("POST", `/drafts/${draft.id}/check`, {});
  const one = () => call<DraftView>("GET", `/drafts/${draft.id}`);
  await expect.poll(async () => (await one()).state, { timeout: 60_000, interval: 200 }).toBe("refused");
  const grown = { web: growth("web", before.web), server: growth("server", before.server) };
  console.log("growth of the peak in MiB:", Math.round(grown.web / 2 ** 20), Math.round(grown.server / 2 ** 20));
  expect(grown.web).toBeLessThan(MOST_GROWTH_BYTES);
  expect(grown.server).toBeLessThan(MOST_GROWTH_BYTES);
  const { uploads, problem } = await one();
  expect(uploads).toMatchObject([{ receivedBytes: HUGE_BYTES, sha256 }]);
  expect(problem?.message).toMatch(/ONNX/);
  await call("DELETE", `/drafts/${draft.id}`);
});
