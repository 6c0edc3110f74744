import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NereidError } from "@nereid/errors";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { externalTensor, field, message, modelOf, tensorInfo } from "../testing/make-onnx.ts";
import { readOnnxGraph } from "./read-onnx-graph.ts";

const MODELS = fileURLToPath(new URL("../../../../model_repo/", import.meta.url));
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "nereid-onnx-"));
});

afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
});

async function read(bytes: Uint8Array) {
  await writeFile(join(scratch, "x.onnx"), bytes);
  return readOnnxGraph(join(scratch, "x.onnx"));
}

describe("readOnnxGraph()", () => {
  it("reads the signature of the demo models", async () => {
    expect(await readOnnxGraph(join(MODELS, "mnist/1/model.onnx"))).toMatchObject({
      inputs: [{ name: "image", datatype: "FP32", dims: [expect.anything(), 784] }],
      outputs: [{ name: "probabilities", datatype: "FP32", dims: [expect.anything(), 10] }],
      externalData: [],
    });
    const simple = await readOnnxGraph(join(MODELS, "simple/1/model.onnx"));
    expect(simple.inputs.map(({ name, datatype }) => [name, datatype])).toEqual([
      ["INPUT0", "INT32"],
      ["INPUT1", "INT32"],
    ]);
    expect(simple.operators).toEqual({ Add: 1, Sub: 1 });
    const identity = await readOnnxGraph(join(MODELS, "identity/1/model.onnx"));
    expect(new Set(identity.inputs.map(({ datatype }) => datatype)).size).toBe(13);
  });

  it("leaves out inputs with an initializer, and finds external data wherever it is used", async () => {
    const subgraph = message(field(5, externalTensor("deep", "sub/deep.bin")));
    const graph = await read(
      modelOf(
        field(1, message(field(4, "If"), field(5, field(6, subgraph)))),
        field(1, message(field(4, "Constant"), field(5, field(5, externalTensor("", "./constant.bin"))))),
        field(5, externalTensor("w", "weights.bin")),
        field(11, tensorInfo("x", 8, ["batch", -1, 3])),
        field(11, tensorInfo("w", 1, [2])),
        field(12, tensorInfo("y", 16, [])),
        field(12, message(field(1, "s"), field(2, field(4, message())))),
      ),
    );
    expect(graph).toEqual({
      inputs: [{ name: "x", datatype: "BYTES", dims: ["batch", -1, 3] }],
      outputs: [
        { name: "y", datatype: "BF16", dims: [] },
        { name: "s", datatype: "SEQUENCE", dims: [] },
      ],
      opset: { "": 17 },
      producer: "tests",
      externalData: ["constant.bin", "sub/deep.bin", "weights.bin"],
      operators: { Constant: 1, If: 1 },
    });
  });

  it.each(["/etc/passwd", "../w.bin", "a/../../w", "C:/w", "a\\b", "", "."])(
    "refuses external data at %j",
    async (place) => {
      const reading = read(modelOf(field(5, externalTensor("w", place))));
      await expect(reading).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringMatching(/outside/),
      });
    },
  );

  it("tells what is wrong, and where", async () => {
    await expect(read(Buffer.alloc(0))).rejects.toThrow(/empty at byte 0/);
    await expect(read(Buffer.from("hello, world"))).rejects.toThrow(/not a valid ONNX file.*at byte/);
    await expect(read(field(1, 8))).rejects.toThrow(/no graph/);
    await expect(read(field(7, message(field(1, "x")).fill(255)))).rejects.toThrow(/at byte/);
    let nested = message(field(4, "If"));
    for (let depth = 0; depth < 50; depth++) nested = message(field(5, field(6, field(1, nested))));
    await expect(read(modelOf(field(1, nested)))).rejects.toThrow(/nested deeper/);
    await expect(readOnnxGraph(join(scratch, "missing"))).rejects.toMatchObject({ code: "INTERNAL" });
  });

  it("does not read weights", async () => {
    const path = join(scratch, "large.onnx");
    const bytes = 3 * 2 ** 30;
    const start = modelOf(field(11, tensorInfo("x", 1, [1])));
    const handle = await open(path, "w");
    const length = Buffer.from([0, 0, 0, 0, 0]);
    for (let index = 0, rest = bytes; index < 5; index++, rest = Math.floor(rest / 128))
      length[index] = (rest % 128) | (index < 4 ? 128 : 0);
    await handle.write(Buffer.concat([start, Buffer.from([0x32]), length]));
    await handle.truncate(start.length + 6 + bytes);
    await handle.close();
    expect((await readOnnxGraph(path)).inputs).toHaveLength(1);
    await rm(path);
  });

  it("answers or refuses whatever is cut or changed", async () => {
    const seeds = await Promise.all(
      ["mnist/1", "simple/1", "identity/1"].map((path) => readFile(join(MODELS, path, "model.onnx"))),
    );
    const cut = fc.double({ min: 0, max: 1, noNaN: true });
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(fc.nat(2), cut, changes, async (seed, part, edits) => {
        const whole = seeds[seed] ?? Buffer.alloc(0);
        const bytes = Buffer.from(whole.subarray(0, Math.ceil(whole.length * (part > 0.5 ? 1 : part * 2))));
        for (const [at, byte] of edits) bytes[at % Math.max(1, Math.min(bytes.length, 4096))] = byte;
        const outcome: unknown = await read(bytes).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(NereidError);
      }),
      { numRuns: 1000 },
    );
  });
});
