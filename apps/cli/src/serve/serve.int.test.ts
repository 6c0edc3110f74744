import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ENTRY } from "../testing/product.ts";

const MODEL = join(import.meta.dirname, "../../../../model_repo/simple");
const ONES = Array.from({ length: 16 }, () => 1);
const BODY = JSON.stringify({
  inputs: ["INPUT0", "INPUT1"].map((name) => ({ name, datatype: "INT32", shape: [1, 16], data: ONES })),
});

let directory: string | undefined;
let server: ChildProcess | undefined;
afterEach(async () => {
  if (server !== undefined && server.exitCode === null && server.signalCode === null) {
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  }
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
});

describe("nereid serve", () => {
  it("takes a tritonserver command line and ends in order", async () => {
    directory = mkdtempSync(join(tmpdir(), "nereid-serve-"));
    cpSync(MODEL, join(directory, "simple"), { recursive: true });
    const line = `--model-repository ${directory} --model-control-mode=poll --repository-poll-secs=1 --http-port 0 --grpc-port=0 --metrics-port=0 --log-verbose=1 --strict-readiness=true --backend-config=python,shm-default-size=1048576`;
    server = spawn(process.execPath, [ENTRY, "serve", ...line.split(" ")], { stdio: ["ignore", "pipe", "pipe"] });
    let log = "";
    server.stderr?.on("data", (text) => {
      log += String(text);
    });
    const first = (await Promise.race([once(server.stdout ?? server, "data"), once(server, "exit")])) as unknown[];
    expect(String(first[0]), log).toContain('"event":"ready"');
    const { http } = JSON.parse(String(first[0])) as { http: number };
    const answer = await fetch(`http://127.0.0.1:${http}/v2/models/simple/infer`, { method: "POST", body: BODY });
    expect(((await answer.json()) as { outputs: { data: number[] }[] }).outputs[0]?.data[0]).toBe(2);
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it("says what is wrong with an option and ends with 1", () => {
    const { status, stderr } = spawnSync(process.execPath, [ENTRY, "serve", "--http-port=many"], { encoding: "utf8" });
    expect(stderr).toContain('"--http-port"');
    expect(status).toBe(1);
  });

  it("prints the server's help", () => {
    const { status, stdout } = spawnSync(process.execPath, [ENTRY, "serve", "--help"], { encoding: "utf8" });
    expect(stdout).toContain("--model-control-mode");
    expect(status).toBe(0);
  });
});
