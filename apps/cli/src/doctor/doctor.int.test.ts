import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ENTRY } from "../testing/product.ts";
import { askPython } from "./ask-python.ts";
import { readAttempt, runChild } from "./attempt.ts";
import type { Facts } from "./facts.ts";
import type { Report } from "./report.ts";

const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
const node = (script: string, timeoutMs = 60_000) =>
  runChild({ program: process.execPath, args: ["-e", script], env: environment, timeoutMs });
const doctor = (...args: readonly string[]) =>
  runChild({ program: process.execPath, args: [ENTRY, "doctor", ...args], env: environment, timeoutMs: 300_000 });

describe("a probe's process", () => {
  it("that answers is believed, whatever else it printed", async () => {
    const end = await node('console.log("noise"); console.log(JSON.stringify({ value: { n: 1 } }))');
    expect(readAttempt(end, 1)).toEqual({ kind: "works", value: { n: 1 } });
  });

  it("that crashes is told with its signal and its words", async () => {
    const end = await node(
      'console.error("driver lost"); process.kill(process.pid, "SIGSEGV"); setInterval(() => {}, 1000)',
    );
    expect(readAttempt(end, 1)).toEqual({ kind: "crashed", how: "SIGSEGV", output: "driver lost" });
    expect(readAttempt(await node("process.exit(7)"), 1)).toMatchObject({ kind: "crashed", how: "exit code 7" });
  });

  it("that hangs is killed", async () => {
    expect(readAttempt(await node("setInterval(() => {}, 1000)", 300), 300)).toEqual({ kind: "silent", seconds: 0.3 });
  });

  it("that misses a library names it, also when only the engine's log does", async () => {
    const end = await node(
      `console.error("libx.so with error: libcublasLt.so.12: cannot open shared object file"); console.log('{"message":"no"}')`,
    );
    expect(readAttempt(end, 1)).toEqual({ kind: "failed", message: "libcublasLt.so.12 is missing" });
  });

  it("that cannot start is a failure", async () => {
    const end = await runChild({ program: "/no/such/program", args: [], env: {}, timeoutMs: 1000 });
    expect(readAttempt(end, 1)).toMatchObject({ kind: "failed", message: expect.stringContaining("ENOENT") });
  });
});

describe("nereid doctor, as built", () => {
  it("runs a model on the processor, looks at everything, and misses nothing that is needed", async () => {
    const { code, stdout } = await doctor("--json", "--need=cpu,node");
    const { findings, missing, facts } = JSON.parse(stdout) as Report & { facts: Facts };
    expect([code, missing]).toEqual([0, []]);
    expect(facts.providers.cpu).toEqual({ kind: "works", value: { milliseconds: expect.any(Number) } });
    expect(facts.engine).toEqual({ kind: "works", value: { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) } });
    // Whatever this machine lacks, it says how to get it.
    for (const { status, fix } of findings) expect(status === "ok" || fix !== undefined).toBe(true);
  }, 300_000);

  it("ends with 1 and names what is needed and missing", async () => {
    const { code, stdout } = await doctor("--need=numpy", "--python=/no/such/python");
    expect(code).toBe(1);
    expect(stdout).toContain("Needed and missing: numpy");
    expect(stdout).toContain("no Python that runs");
  }, 300_000);

  it("refuses a subject there is not", async () => {
    const { code, stderr } = await doctor("--need=rocm");
    expect([code, stderr]).toEqual([1, expect.stringContaining("'rocm' is nothing the doctor looks at")]);
  });
});

it("askPython() says when there is none on the PATH", async () => {
  const directory = mkdtempSync(join(tmpdir(), "nereid-no-python-"));
  try {
    expect(await askPython(undefined, { PATH: directory })).toMatchObject({ kind: "failed" });
  } finally {
    rmSync(directory, { recursive: true });
  }
});
