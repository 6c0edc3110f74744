import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NereidClient, outputValues, tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBitmap } from "../testing/read-bitmap.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
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
  server = await startTestServer({
    args: [`--model-repository=${repository}`, "--http-max-input-size=100000000", "--flight-sample=1"],
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

describe("reading text", () => {
  it("as an ensemble finds, cuts out and recognises the lines of a rendered picture", async () => {
    const { width, height, pixels } = readBitmap(
      readFileSync(fileURLToPath(new URL("../testing/fixtures/two-lines.pbm", import.meta.url))),
    );
    const answer = await http.infer("ocr", {
      id: "page",
      inputs: [tensor({ name: "IMAGE", datatype: "UINT8", shape: [height, width, 3], data: pixels })],
    });
    const lines = outputValues(answer, "TEXT", "BYTES").map((line) => Buffer.from(line).toString("utf8"));
    expect(lines.map((line) => line.replaceAll(" ", ""))).toEqual(["Thequickbrownfox", "served42requests"]);
    expect([...outputValues(answer, "SCORE", "FP32")].every((score) => score > 0.9)).toBe(true);
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
