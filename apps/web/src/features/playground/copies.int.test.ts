import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { TryRequest } from "@nereid/services";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyHalf } from "./copy-half.ts";
import { copyRequest } from "./copy-request.ts";
import { numberBytes, toBase64 } from "./number-bytes.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../../../../..");
const CLI = join(ROOT, "apps/cli/dist/nereid.js");
/** With tritonclient: the one of the conformance suite, or of whoever says so. */
const PYTHON = process.env["TRITONCLIENT_PYTHON"] ?? join(ROOT, ".conformance/venv/bin/python");

const TYPES = { WHOLE: "INT64", WORDS: "STRING", HALF: "FP16", BRAIN: "BF16" };

/** Gives every input back that it was given. */
const MODEL = `export function execute(requests) {
  return requests.map(({ inputs }) => ({
    outputs: Object.fromEntries(Object.entries(inputs).map(([name, { shape, data }]) => ["OUT_" + name, { shape, data: data.slice() }])),
  }));
}
`;

let directory: string;
let server: ChildProcess;
let address: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "nereid-copies-"));
  for (const [model, names] of Object.entries({ plain: ["WHOLE", "WORDS"], half: ["HALF", "BRAIN", "WORDS"] })) {
    const folder = join(directory, "models", model, "1");
    mkdirSync(folder, { recursive: true });
    const tensors = (prefix: string) =>
      names
        .map((name) => `{ name: "${prefix}${name}" data_type: TYPE_${Reflect.get(TYPES, name)} dims: [ -1 ] }`)
        .join(", ");
    writeFileSync(
      join(folder, "..", "config.pbtxt"),
      `backend: "javascript"\ninput [ ${tensors("")} ]\noutput [ ${tensors("OUT_")} ]\n`,
    );
    writeFileSync(join(folder, "model.mjs"), MODEL);
  }
  server = spawn(
    process.execPath,
    [
      join(ROOT, "apps/server/dist/server.js"),
      `--model-repository=${join(directory, "models")}`,
      ...["http", "grpc", "metrics"].map((port) => `--${port}-port=0`),
    ],
    { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, TMPDIR: directory } },
  );
  if (server.stdout === null) throw new Error("no output");
  const [line] = await once(createInterface(server.stdout), "line");
  address = `http://127.0.0.1:${JSON.parse(String(line)).http}`;
}, 60_000);

afterAll(async () => {
  server.kill("SIGKILL");
  await once(server, "exit");
  rmSync(directory, { recursive: true, force: true });
});

const tensor = (name: string, datatype: "INT64" | "FP16" | "BF16", bytes: Uint8Array, count: number) => ({
  name,
  datatype,
  shape: [count],
  base64: toBase64(bytes),
});
const words = { name: "WORDS", datatype: "BYTES" as const, shape: [2], text: ["it's", 'ä "quoted" $HOME'] };
const base = { protocol: "http", classification: 0 } as const;
const plain: TryRequest = {
  ...base,
  parameters: { note: "it's", timeout: 60_000_000 },
  inputs: [tensor("WHOLE", "INT64", numberBytes("INT64", [9007199254740993n, -1n]), 2), words],
};
// 1 and -2 in either form.
const half: TryRequest = {
  ...base,
  version: "1",
  parameters: { note: 1 },
  inputs: [
    tensor("HALF", "FP16", Uint8Array.of(0x00, 0x3c, 0x00, 0xc0), 2),
    tensor("BRAIN", "BF16", Uint8Array.of(0x80, 0x3f, 0x00, 0xc0), 2),
    words,
  ],
};

const inFolder = () => ({ cwd: directory, encoding: "utf8" as const });
const textsOf = (model: "plain" | "half") => {
  const copy = { server: address, model, outputs: [], request: model === "half" ? half : plain };
  const texts = model === "half" ? copyHalf(copy) : copyRequest(copy);
  if (texts === null) throw new Error("no texts");
  return texts;
};
const file = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

describe("copies of a request say what the request says", () => {
  const WHOLE = '"data":[9007199254740993,-1]';

  it("curl", async () => {
    const { stdout } = await run("bash", ["-c", textsOf("plain").curl], inFolder());
    expect(stdout).toContain(WHOLE);
    expect(stdout).toContain(JSON.stringify(words.text));
  });

  it("TypeScript", async () => {
    const { stdout } = await run(process.execPath, [file("plain.mjs", textsOf("plain").typescript)], inFolder());
    expect(stdout).toContain("OUT_WHOLE");
    expect(stdout).toContain("it's");
  });

  it("command line", async () => {
    const text = textsOf("plain").cli.replace("\nnereid ", `\n"${process.execPath}" "${CLI}" `);
    const { stdout } = await run("bash", ["-c", text], inFolder());
    expect(stdout).toContain("9007199254740993");
  });

  it("curl with half precision, which was not to be had", async () => {
    await run("bash", ["-c", textsOf("half").curl], inFolder());
    const answer = readFileSync(join(directory, "answer.bin"));
    for (const input of half.inputs) {
      if ("base64" in input) expect(answer.includes(Buffer.from(input.base64, "base64"))).toBe(true);
    }
    expect(answer.includes('ä "quoted" $HOME')).toBe(true);
  });

  it("TypeScript with half precision", async () => {
    const { stdout } = await run(process.execPath, [file("half.mjs", textsOf("half").typescript)], inFolder());
    expect(stdout).toContain("OUT_BRAIN");
    expect(stdout).toContain("00 3c 00 c0");
  });

  it.skipIf(!existsSync(PYTHON))("Python, with tritonclient", async () => {
    const one = await run(PYTHON, [file("plain.py", textsOf("plain").python)], inFolder());
    expect(one.stdout).toContain("OUT_WHOLE [9007199254740993");
    const two = await run(PYTHON, [file("half.py", textsOf("half").python)], inFolder());
    expect(two.stdout).toMatch(/OUT_HALF \[ 1\. +-2\.\]/);
    expect(two.stdout).toMatch(/OUT_BRAIN \[ ?1\.? +-2\.?\]/);
  });
});
