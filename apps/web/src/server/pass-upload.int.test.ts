import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { passUpload, publicLocation } from "./pass-upload.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What Node needs for a body that is a stream; its type does not have it. */
const streaming = { duplex: "half" } as object;

it("passes headers, key and location, and nothing of the session", async () => {
  let seen: IncomingMessage | undefined;
  const serverUrl = await serve((request, response) => {
    seen = request;
    response.writeHead(201, {
      location: "/nereid/v1/uploads/u1",
      "tus-resumable": "1.0.0",
      "set-cookie": "a=b",
    });
    response.end();
  });
  const request = new Request("http://dashboard/api/v1/uploads", {
    method: "POST",
    headers: {
      "tus-resumable": "1.0.0",
      "upload-length": "5",
      "upload-metadata": "draft ZDE=",
      cookie: "session=secret",
      authorization: "Bearer nrd_users",
    },
  });
  const answer = await passUpload(request, { serverUrl, serverKey: "management" });
  expect([answer.status, answer.headers.get("location"), answer.headers.get("set-cookie")]).toEqual([
    201,
    "/api/v1/uploads/u1",
    null,
  ]);
  expect(seen?.url).toBe("/nereid/v1/uploads");
  expect(seen?.headers).toMatchObject({
    authorization: "Bearer management",
    "upload-length": "5",
    "upload-metadata": "draft ZDE=",
  });
  expect(seen?.headers.cookie).toBeUndefined();
});

it("streams: the first piece arrives before the last is sent", async () => {
  let arrived = (_: string) => {};
  const first = new Promise<string>((resolve) => {
    arrived = resolve;
  });
  let text = "";
  const serverUrl = await serve((request, response) => {
    request.on("data", (chunk) => {
      text += chunk;
      arrived(text);
    });
    request.on("end", () => response.writeHead(204, { "upload-offset": String(text.length) }).end());
  });
  let sender: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      sender = controller;
    },
  });
  const request = new Request("http://dashboard/api/v1/uploads/u1", {
    method: "PATCH",
    headers: { "content-length": "11", "upload-offset": "0", "content-type": "application/offset+octet-stream" },
    body,
    ...streaming,
  });
  const answer = passUpload(request, { serverUrl, serverKey: undefined });
  sender?.enqueue(new TextEncoder().encode("first "));
  expect(await first).toBe("first ");
  sender?.enqueue(new TextEncoder().encode("last!"));
  sender?.close();
  expect((await answer).headers.get("upload-offset")).toBe("11");
  expect(text).toBe("first last!");
});

it("breaks off when its sender does", async () => {
  let closed = () => {};
  let begun = () => {};
  const gone = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const serverUrl = await serve((request) => {
    request.on("data", () => begun());
    request.on("close", () => closed());
    request.on("error", () => {});
  });
  const abort = new AbortController();
  const body = new ReadableStream<Uint8Array>({ start: (to) => to.enqueue(new Uint8Array(10)) });
  const init = { method: "PATCH", body, signal: abort.signal, ...streaming };
  const answer = passUpload(new Request("http://dashboard/api/v1/uploads/u1", init), {
    serverUrl,
    serverKey: undefined,
  });
  await started;
  abort.abort();
  await expect(answer).rejects.toMatchObject({ code: "CANCELLED" });
  await gone;
});

it("says so when the server is away, and takes no other address", async () => {
  const target = { serverUrl: "http://127.0.0.1:9", serverKey: undefined };
  await expect(passUpload(new Request("http://d/api/v1/uploads/u1"), target)).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
  for (const path of ["/../server", "/a/b", "/%2e%2e%2fserver"]) {
    await expect(passUpload(new Request(`http://d/api/v1/uploads${path}`), target)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  }
});

it.each([
  ["/nereid/v1/uploads/u1", "/api/v1/uploads/u1"],
  ["http://10.0.0.1:8000/nereid/v1/uploads/u1", "/api/v1/uploads/u1"],
])("the browser goes on at the dashboard: %s is %s", (location, expected) => {
  expect(publicLocation(location)).toBe(expected);
});
