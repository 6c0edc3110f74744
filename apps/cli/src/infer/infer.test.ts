import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseInferCommand } from "./infer-options.ts";
import { runInfer } from "./run-infer.ts";

describe("parseInferCommand()", () => {
  it("reads what is wanted; the address comes from the option, the environment, or is the usual one", () => {
    expect(parseInferCommand(["m", "--file=r.json"], {})).toEqual({
      model: "m",
      version: undefined,
      file: "r.json",
      server: "http://127.0.0.1:8000",
      timeoutMs: 30_000,
    });
    const env = { NEREID_SERVER: "http://a:1" };
    expect(parseInferCommand(["m", "--file=-", "--version=2", "--timeout=0.5"], env)).toMatchObject({
      version: "2",
      server: "http://a:1",
      timeoutMs: 500,
    });
    expect(parseInferCommand(["m", "--file=-", "--server=https://b"], env).server).toBe("https://b");
  });

  it.each([
    [[], "which model?"],
    [["m"], "--file is missing"],
    [["m", "n", "--file=a"], "also 'n'"],
    [["m", "--file=a", "--version=latest"], "'latest' is not a version number"],
    [["m", "--file=a", "--timeout=soon"], "not 'soon'"],
    [["m", "--file=a", "--server=localhost"], "'localhost' is not the address"],
    [["m", "--nope"], "--nope"],
  ])("%j is refused", (args, message) => {
    expect(() => parseInferCommand(args, {})).toThrow(message);
  });
});

describe("runInfer()", () => {
  const directory = mkdtempSync(join(tmpdir(), "nereid-infer-"));
  const file = join(directory, "request.json");
  let server: Server;
  let address = "";
  beforeAll(async () => {
    writeFileSync(file, '{"inputs":[9007199254740993]}');
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const known = request.url === "/v2/models/a%20b/versions/3/infer";
        response.statusCode = known ? 200 : 404;
        const body = Buffer.concat(chunks).toString();
        response.end(known ? body : '{"error":"unknown model","fix":"load it"}');
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const at = server.address();
    address = `http://127.0.0.1:${typeof at === "object" && at !== null ? at.port : 0}`;
  });
  afterAll(() => {
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const command = (model: string, path = file) => ({
    model,
    version: "3",
    file: path,
    server: address,
    timeoutMs: 5_000,
  });

  it("sends the file as it is and keeps every digit of the answer", async () => {
    expect(await runInfer(command("a b"))).toBe('{"inputs":[9007199254740993]}');
  });

  it("says what the server said, with what to do", async () => {
    await expect(runInfer(command("other"))).rejects.toMatchObject({ message: "unknown model", fix: "load it" });
  });

  it("sends no file that is not there or is not JSON", async () => {
    await expect(runInfer(command("a b", join(directory, "none")))).rejects.toMatchObject({ code: "NOT_FOUND" });
    const bad = join(directory, "bad.json");
    writeFileSync(bad, "{");
    await expect(runInfer(command("a b", bad))).rejects.toThrow("is not JSON");
  });
});
