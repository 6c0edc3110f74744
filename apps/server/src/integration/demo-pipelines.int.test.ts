import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NereidClient, outputValues, tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBitmap } from "../testing/read-bitmap.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
/** A Python with numpy; undefined where there is none. */
const python = ["python3", "/usr/bin/python3"].find((name) => spawnSync(name, ["-c", "import numpy"]).status === 0);
const MODELS = ["silero_vad", "silero_vad_stream", "ocr", "ocr_script"];
const SAMPLES = 512;
const CONTEXT = 64;

let repository: string;
let server: TestServer;
let http: NereidClient;
let grpc: GrpcClient;

beforeAll(async () => {
  repository = mkdtempSync(join(tmpdir(), "nereid-demo-"));
  const fetched = spawnSync(process.execPath, ["scripts/demo-models.mjs", `--to=${repository}`], {
    cwd: ROOT,
    encoding: "utf8",
  });
  if (fetched.status !== 0)
    throw new Error(`the demo models could not be fetched:\n${fetched.stderr}${fetched.stdout}`);
  if (python !== undefined)
    cpSync(join(ROOT, "docs/examples/ocr-python"), join(repository, "ocr_python"), { recursive: true });
  server = await startTestServer({
    mode: ["--model-control-mode=explicit", ...MODELS.map((name) => `--load-model=${name}`)],
    args: [
      ...(python === undefined ? [] : [`--backend-config=python,interpreter=${python}`]),
      `--model-repository=${repository}`,
      "--http-max-input-size=100000000",
      "--flight-sample=1",
    ],
  });
  http = new NereidClient({ baseUrl: server.api.url.origin });
  grpc = new GrpcClient({ address: server.grpcAddress });
});

afterAll(async () => {
  await grpc?.close();
  await server?.dispose();
  rmSync(repository, { recursive: true, force: true });
});

/** Two seconds of tones that come and go: no speech, but nothing that two streams would share either. */
function sound(seed: number): Float32Array {
  const samples = new Float32Array(SAMPLES * 60);
  for (let at = 0; at < samples.length; at++) {
    const seconds = at / 16_000;
    const loud = Math.max(0, Math.sin(2 * Math.PI * seconds * (1 + seed / 3)));
    samples[at] = 0.4 * loud * Math.sin(2 * Math.PI * (120 + 35 * seed) * seconds * (1 + 0.1 * Math.sin(9 * seconds)));
  }
  return samples;
}

/** The chunks of a stream, each with the end of the one before in front. */
function chunksOf(samples: Float32Array): Float32Array[] {
  const chunks: Float32Array[] = [];
  for (let at = 0; at < samples.length; at += SAMPLES) {
    const chunk = new Float32Array(CONTEXT + SAMPLES);
    if (at > 0) chunk.set(samples.subarray(at - CONTEXT, at));
    chunk.set(samples.subarray(at, at + SAMPLES), CONTEXT);
    chunks.push(chunk);
  }
  return chunks;
}

/** The state carried by the client, one request after the other. */
async function alone(samples: Float32Array): Promise<number[]> {
  let state = new Float32Array(2 * 128);
  const speech: number[] = [];
  for (const chunk of chunksOf(samples)) {
    const answer = await http.infer("silero_vad", {
      inputs: [
        tensor({ name: "input", datatype: "FP32", shape: [1, chunk.length], data: chunk }),
        tensor({ name: "state", datatype: "FP32", shape: [2, 1, 128], data: state }),
      ],
    });
    speech.push(outputValues(answer, "output", "FP32")[0] ?? Number.NaN);
    state = Float32Array.from(outputValues(answer, "stateN", "FP32"));
  }
  return speech;
}

/** The state kept by the server, over a stream of requests. */
async function asSequence(samples: Float32Array, id: bigint | string): Promise<number[]> {
  const chunks = chunksOf(samples);
  const stream = grpc.inferStream();
  for (const [index, chunk] of chunks.entries()) {
    await stream.send("silero_vad_stream", {
      inputs: [tensor({ name: "input", datatype: "FP32", shape: [1, chunk.length], data: chunk })],
      parameters: { sequence_id: id, sequence_start: index === 0, sequence_end: index === chunks.length - 1 },
    });
  }
  stream.end();
  const speech: number[] = [];
  for await (const { response } of stream) speech.push(outputValues(response, "output", "FP32")[0] ?? Number.NaN);
  return speech;
}

describe("speech detection on streams", () => {
  it("gives each of many streams at once what it gives the stream alone", async () => {
    const sounds = Array.from({ length: 12 }, (_, seed) => sound(seed));
    const together = await Promise.all(
      sounds.map((samples, index) => asSequence(samples, index % 2 === 0 ? BigInt(index + 1) : `stream-${index}`)),
    );
    const one: number[][] = [];
    for (const samples of sounds) one.push(await alone(samples));
    expect(together).toEqual(one);
    // A model that ignored its state would not tell the streams' chunks apart.
    expect(new Set(one.flat()).size).toBeGreaterThan(300);
  });
});

function picture() {
  return readBitmap(readFileSync(fileURLToPath(new URL("../testing/fixtures/two-lines.pbm", import.meta.url))));
}

function textsOf(answer: Awaited<ReturnType<NereidClient["infer"]>>): string[] {
  return outputValues(answer, "TEXT", "BYTES").map((line) => Buffer.from(line).toString("utf8"));
}

describe("reading text", () => {
  it("as an ensemble finds, cuts out and recognises the lines of a rendered picture", async () => {
    const { width, height, pixels } = picture();
    const answer = await http.infer("ocr", {
      id: "page",
      inputs: [tensor({ name: "IMAGE", datatype: "UINT8", shape: [height, width, 3], data: pixels })],
    });
    const lines = textsOf(answer);
    expect(lines.map((line) => line.replaceAll(" ", ""))).toEqual(["Thequickbrownfox", "served42requests"]);
    expect([...outputValues(answer, "SCORE", "FP32")].every((score) => score > 0.9)).toBe(true);
  });

  it("as a script that calls the models reads the same, and a picture without text too", async () => {
    const { width, height, pixels } = picture();
    const page = [tensor({ name: "IMAGE", datatype: "UINT8", shape: [height, width, 3], data: pixels })];
    const [ensemble, called] = await Promise.all(
      ["ocr", "ocr_script"].map((model) => http.infer(model, { inputs: page })),
    );
    if (ensemble === undefined || called === undefined) throw new Error("no answer");
    expect(textsOf(called)).toEqual(textsOf(ensemble));
    expect([...outputValues(called, "BOXES", "FP32")]).toEqual([...outputValues(ensemble, "BOXES", "FP32")]);
    const white = new Uint8Array(64 * 64 * 3).fill(255);
    const blank = await http.infer("ocr_script", {
      inputs: [tensor({ name: "IMAGE", datatype: "UINT8", shape: [64, 64, 3], data: white })],
    });
    expect(blank.outputs.map(({ name, shape }) => [name, shape])).toEqual(
      expect.arrayContaining([
        ["TEXT", [0]],
        ["BOXES", [0, 4]],
      ]),
    );
  });

  it.skipIf(python === undefined)("as a Python model that calls the models reads the same", async () => {
    await http.loadModel("ocr_python");
    const { width, height, pixels } = picture();
    const page = [tensor({ name: "IMAGE", datatype: "UINT8", shape: [height, width, 3], data: pixels })];
    const [ensemble, called] = await Promise.all(
      ["ocr", "ocr_python"].map((model) => http.infer(model, { inputs: page })),
    );
    if (ensemble === undefined || called === undefined) throw new Error("no answer");
    expect(textsOf(called)).toEqual(textsOf(ensemble));
  });

  it("copies no tensor between steps that one request runs through, but where the memory is not aligned", async () => {
    const reply = await server.api.call("/nereid/v1/requests?model=ocr&id=page");
    const { records } = JSON.parse(reply.text) as {
      records: { steps: { model: string; copiedBytes: number }[] }[];
    };
    const copied = new Map(records[0]?.steps.map(({ model, copiedBytes }) => [model, copiedBytes]));
    // The picture is read by two scripts, which might write into it: each has a copy. What the steps make is handed on as it lies.
    expect(Object.fromEntries(copied)).toEqual({
      ocr_prepare: 640 * 128 * 3,
      ocr_det: 0,
      ocr_crop: 640 * 128 * 3,
      ocr_rec: 0,
      ocr_text: 0,
    });
  });
});
