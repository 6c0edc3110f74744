import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RunnerProcess } from "../runners/runner-process.ts";
import { systemClock } from "../time/clock.ts";

const RUNNER = fileURLToPath(new URL("../../dist/runner.js", import.meta.url));
const MODEL = fileURLToPath(new URL("../../../../model_repo/identity_fp32/1/model.onnx", import.meta.url));

describe("the Node runner", () => {
  let directory: string;
  let runner: RunnerProcess;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "nereid-ahead-"));
    runner = new RunnerProcess("identity_fp32/1", {
      command: { program: process.execPath, args: [RUNNER] },
      socketDirectory: directory,
      shmDirectory: directory,
      clock: systemClock,
      log: () => undefined,
    });
  });

  afterEach(async () => {
    runner.kill("the test is over");
    await runner.ended();
    rmSync(directory, { recursive: true });
  });

  it("collects outputs into memory that the execution behind them announced", async () => {
    const signature = await runner.load({
      file: MODEL,
      session: {
        executionProviders: [{ name: "cpu" }],
        intraOpThreads: 1,
        interOpThreads: 1,
        arena: true,
        memoryPattern: true,
        graphOptimization: "all",
        extra: {},
      },
      devices: [],
      memoryLimitBytes: 0,
    });
    const [input] = signature.inputs;
    const [output] = signature.outputs;
    const [channel] = await runner.startInstances(1);
    if (input === undefined || output === undefined || channel === undefined) throw new Error("unexpected model");
    const send = (value: number, count: number) => {
      const block = runner.slab.allocate(count * 4);
      block.bytes.set(new Uint8Array(new Float32Array(count).fill(value).buffer));
      const { segment, offset, byteLength } = block;
      const ref = { name: input.name, datatype: input.datatype, shape: [1, count], segment, offset, byteLength };
      return channel.execute({ inputs: [ref], outputs: [{ name: output.name }], arena: undefined });
    };
    const results = await Promise.all([send(1.5, 150_000), send(2.5, 280_000)]);
    const answers = results.map(({ outputs: [ref], extra }) => {
      if (ref === undefined || extra === undefined) throw new Error("expected an output in an extra block");
      const values = new Float32Array(extra.bytes.slice(0, ref.byteLength).buffer);
      return [values.length, values[0], values.at(-1)];
    });
    expect(answers).toEqual([
      [150_000, 1.5, 1.5],
      [280_000, 2.5, 2.5],
    ]);
  });
});
