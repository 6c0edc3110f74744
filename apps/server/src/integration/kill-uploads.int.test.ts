import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KillableServer } from "../testing/killable-server.ts";
import { floats, numbersOf } from "../testing/test-api.ts";
import { network, offset } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const PARTS = 10;
let server: KillableServer;
beforeAll(async () => {
  server = new KillableServer([offset("served", 1)]);
  await server.start();
});
afterAll(() => server.dispose());

/** Sends bytes from an offset until the connection breaks. Every piece waits for the one before it. */
function sendUntilKilled(url: string, from: number, bytes: Uint8Array): void {
  const outgoing = request(url, {
    method: "PATCH",
    headers: {
      "tus-resumable": "1.0.0",
      "upload-offset": String(from),
      "content-type": "application/offset+octet-stream",
      "content-length": bytes.byteLength - from,
    },
  });
  outgoing.on("error", () => undefined);
  let at = from;
  const next = () => {
    const end = Math.min(at + (64 << 10), bytes.byteLength);
    const piece = bytes.subarray(at, end);
    at = end;
    if (at < bytes.byteLength) outgoing.write(piece, (error) => error ?? next());
    else outgoing.end(piece);
  };
  next();
}

it("an upload goes on where it was, however often the server is killed in it", async () => {
  const bytes = Buffer.from(network("large", 12).files["1/model.onnx"] ?? "");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const draft = await server.drafts.open({ model: "large" });
  const { location } = await server.drafts.begin(draft, { path: "model.onnx", bytes: bytes.length, sha256 });
  const uploads = join(server.repository, ".nereid-staging/drafts", draft, "uploads");
  const part = readdirSync(uploads).find((name) => name.endsWith(".part")) ?? "";
  const onDisk = () => statSync(join(uploads, part)).size;

  for (let step = 1; step < PARTS; step++) {
    const from = await server.drafts.offset(location);
    sendUntilKilled(server.api.url.origin + location, from, bytes);
    const wanted = (bytes.length * step) / PARTS;
    await waitUntil(`${step * 10} % have arrived`, () => onDisk() >= wanted);
    await server.kill();
    const kept = onDisk();
    await server.start();
    expect(await server.drafts.offset(location)).toBe(kept);
    expect(numbersOf(await server.api.infer("served", floats("QUESTION", [[1]])))).toEqual([2]);
  }
  const rest = await server.drafts.offset(location);
  const done = await server.drafts.append(location, rest, bytes.subarray(rest));
  expect(done.status).toBe(204);
  await server.kill();
  await server.start();

  const checked = await server.drafts.check(draft);
  expect(checked).toMatchObject({ state: "ready", uploads: [{ receivedBytes: bytes.length, sha256 }] });
  expect(checked.report?.files).toEqual([{ path: "model.onnx", bytes: bytes.length, sha256 }]);
  expect((await server.drafts.call("POST", `/drafts/${draft}/publish`, { load: false })).status).toBe(200);
  expect(server.staged()).toEqual([join("drafts", draft, "draft.json")]);
  expect(server.kills).toBe(PARTS);
});
