import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readBytesElements, writeBytesElements } from "@nereid/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RunnerProcess } from "../runners/runner-process.ts";
import type { SlabBlock } from "../shm/slab.ts";
import { systemClock } from "../time/clock.ts";
import type { SessionSettings, TensorRef } from "./messages.ts";

const PROGRAM = fileURLToPath(new URL("./testing/identity_runner.py", import.meta.url));
const SESSION: SessionSettings = {
  executionProviders: [{ name: "cpu" }],
  intraOpThreads: 1,
  interOpThreads: 1,
  arena: true,
  memoryPattern: true,
  graphOptimization: "all",
  extra: {},
};

/** The interpreter itself: `python3` may be a wrapper that needs more of the environment than a runner gets. */
function findPython(): string | undefined {
  const found = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  return found.status === 0 ? found.stdout.trim() : undefined;
}

const python = findPython();
if (python === undefined)
  console.warn("skipped: there is no python3 on this machine to run a runner in another language");

describe.skipIf(python === undefined)("a runner written in Python from docs/runner-protocol.md", () => {
  let directory: string;
  let file: string;
  const runners: RunnerProcess[] = [];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "nereid-py-"));
    file = join(directory, "identity.model");
    writeFileSync(file, "");
  });

  afterEach(async () => {
    for (const runner of runners.splice(0)) {
      runner.kill("the test is over");
      await runner.ended();
    }
    rmSync(directory, { recursive: true });
  });

  function start(...args: string[]): RunnerProcess {
    const runner = new RunnerProcess("identity/1", {
      command: { program: python ?? "", args: [PROGRAM, ...args] },
      socketDirectory: directory,
      shmDirectory: directory,
      clock: systemClock,
      log: (line) => console.error(line),
    });
    runners.push(runner);
    return runner;
  }

  const load = (runner: RunnerProcess, model = file) =>
    runner.load({ file: model, session: SESSION, devices: [], memoryLimitBytes: 1 << 30 });

  async function startInstances(count: number) {
    const runner = start();
    await load(runner);
    return { runner, channels: await runner.startInstances(count) };
  }

  async function startOne() {
    const { runner, channels } = await startInstances(1);
    const [channel] = channels;
    if (channel === undefined) throw new Error("no instance");
    return { runner, channel };
  }

  it("loads, tells its signature and brings up instances", async () => {
    const runner = start();
    expect(await load(runner)).toEqual({
      inputs: [
        { name: "INPUT", datatype: "FP32", dims: ["batch", -1] },
        { name: "TEXT", datatype: "BYTES", dims: ["batch", 1] },
      ],
      outputs: [
        { name: "OUTPUT", datatype: "FP32", dims: ["batch", -1] },
        { name: "TEXT_OUT", datatype: "BYTES", dims: ["batch", 1] },
      ],
      execution: "batch",
    });
    const channels = await runner.startInstances(3);
    expect(channels.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  it("reads an input in place, writes the output to its place and times both by the server's clock", async () => {
    const { runner, channel } = await startOne();
    const values = Float32Array.from({ length: 6 }, (_, index) => index + 0.5);
    const input = runner.slab.allocate(values.byteLength);
    const output = runner.slab.allocate(values.byteLength);
    input.bytes.set(new Uint8Array(values.buffer));
    const place = refOf(output, { name: "OUTPUT", shape: [2, 3] });
    const before = systemClock.nowNs();
    const result = await channel.execute({
      inputs: [refOf(input, { name: "INPUT", shape: [2, 3] })],
      outputs: [{ name: "OUTPUT", place }],
      arena: undefined,
    });
    expect(result.outputs).toEqual([place]);
    expect(new Float32Array(output.bytes.slice().buffer)).toEqual(values);
    expect(result.inferStartNs).toBeGreaterThanOrEqual(before);
    expect(result.inferEndNs).toBeGreaterThanOrEqual(result.inferStartNs);
    expect(result.inferEndNs).toBeLessThanOrEqual(systemClock.nowNs());
  });

  it("puts outputs of unknown size into the arena", async () => {
    const { runner, channel } = await startOne();
    const { ref } = textInput(runner, ["", "håndværk", "a\0b"]);
    const arena = runner.slab.allocate(4096);
    const result = await channel.execute({ inputs: [ref], outputs: [{ name: "TEXT_OUT" }], arena });
    expect(result.extra).toBeUndefined();
    expect(textsOf(result.outputs[0], arena, 3)).toEqual(["", "håndværk", "a\0b"]);
  });

  it("asks for more room when the arena is too small, and works on afterwards", async () => {
    const { runner, channel } = await startOne();
    const texts = ["x".repeat(3_000_000), "y"];
    const { ref } = textInput(runner, texts);
    for (let turn = 0; turn < 3; turn++) {
      const arena = runner.slab.allocate(64);
      const result = await channel.execute({ inputs: [ref], outputs: [{ name: "TEXT_OUT" }], arena });
      if (result.extra === undefined) throw new Error("expected an extra block");
      expect(textsOf(result.outputs[0], result.extra, 2)).toEqual(texts);
      result.extra.release();
      arena.release();
    }
  });

  it("answers in order when executions are sent ahead of one whose outputs wait for room", async () => {
    const { runner, channel } = await startOne();
    const first = ["a".repeat(600_000)];
    const second = ["b".repeat(1_100_000)];
    const send = (texts: readonly string[]) => {
      const { ref } = textInput(runner, texts);
      return channel.execute({ inputs: [ref], outputs: [{ name: "TEXT_OUT" }], arena: undefined });
    };
    // The room for the first one's outputs is in the segment that the second one announced.
    const order: string[] = [];
    const answers = [
      send(first).finally(() => order.push("first")),
      send(second).finally(() => order.push("second")),
    ] as const;
    const [one, two] = await Promise.all(answers);
    expect(order).toEqual(["first", "second"]);
    if (one.extra === undefined || two.extra === undefined) throw new Error("expected extra blocks");
    expect(textsOf(one.outputs[0], one.extra, 1)).toEqual(first);
    expect(textsOf(two.outputs[0], two.extra, 1)).toEqual(second);
  });

  it("forgets segments that the server gave back, and maps new ones", async () => {
    const { runner, channel } = await startOne();
    const send = async (text: string) => {
      const { ref, block } = textInput(runner, [text]);
      const arena = runner.slab.allocate(text.length + 4);
      const result = await channel.execute({ inputs: [ref], outputs: [{ name: "TEXT_OUT" }], arena });
      expect(textsOf(result.outputs[0], arena, 1)).toEqual([text]);
      block.release();
      arena.release();
    };
    await send("small");
    await send("z".repeat(2_000_000));
    const grown = runner.slab.byteLength;
    for (let sweep = 0; sweep < 4; sweep++) runner.sweep();
    expect(runner.slab.byteLength).toBeLessThan(grown);
    await send("still here");
    await send("w".repeat(2_000_000));
  });

  it("serves its instances side by side", async () => {
    const { runner, channels } = await startInstances(2);
    const answers = await Promise.all(
      channels.map(async (channel, index) => {
        const { ref } = textInput(runner, [`instance ${index}`]);
        const arena = runner.slab.allocate(64);
        const result = await channel.execute({ inputs: [ref], outputs: [{ name: "TEXT_OUT" }], arena });
        return textsOf(result.outputs[0], arena, 1)[0];
      }),
    );
    expect(answers).toEqual(["instance 0", "instance 1"]);
  });

  it("answers a bad request with an error and the next one as usual", async () => {
    const { runner, channel } = await startOne();
    const { ref } = textInput(runner, ["a"]);
    const bad = channel.execute({ inputs: [ref], outputs: [{ name: "OUTPUT" }], arena: runner.slab.allocate(64) });
    await expect(bad).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    const arena = runner.slab.allocate(64);
    const good = await channel.execute({ inputs: [ref], outputs: [{ name: "TEXT_OUT" }], arena });
    expect(textsOf(good.outputs[0], arena, 1)).toEqual(["a"]);
  });

  it("answers heartbeats, and is called unresponsive while it is stopped", async () => {
    const { runner } = await startOne();
    await sleep(1_500);
    expect(runner.responsive).toBe(true);
    process.kill(runner.pid, "SIGSTOP");
    await sleep(1_500);
    expect(runner.responsive).toBe(false);
  });

  it("fails what it was doing with UNAVAILABLE when it is killed", async () => {
    const { runner, channel } = await startOne();
    process.kill(runner.pid, "SIGSTOP");
    const { ref } = textInput(runner, ["a"]);
    const lost = channel.execute({ inputs: [ref], outputs: [{ name: "TEXT_OUT" }], arena: undefined });
    runner.kill("out of patience");
    await expect(lost).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await runner.ended();
    expect(runner.exitReason).toBe("out of patience");
  });

  it("reports a model that cannot be loaded", async () => {
    await expect(load(start(), join(directory, "missing"))).rejects.toThrow(/no such file/);
  });

  it.each([
    ["--protocol=2", /version 2 of the runner protocol/],
    ["--garbage", /broke the runner protocol/],
  ])("is ended when started with %s, and the load says why", async (argument, why) => {
    await expect(load(start(argument))).rejects.toThrow(why);
  });
});

function refOf(block: SlabBlock, tensor: { name: string; shape: readonly number[] }): TensorRef {
  const { segment, offset, byteLength } = block;
  return { ...tensor, datatype: "FP32", segment, offset, byteLength };
}

function textInput(runner: RunnerProcess, texts: readonly string[]): { ref: TensorRef; block: SlabBlock } {
  const bytes = writeBytesElements(texts.map((text) => Buffer.from(text, "utf8")));
  const block = runner.slab.allocate(bytes.byteLength);
  block.bytes.set(bytes);
  return { ref: { ...refOf(block, { name: "TEXT", shape: [texts.length, 1] }), datatype: "BYTES" }, block };
}

function textsOf(ref: TensorRef | undefined, block: SlabBlock, count: number): string[] {
  if (ref === undefined) throw new Error("the output is missing");
  expect(ref).toMatchObject({ datatype: "BYTES", shape: [count, 1], segment: block.segment, offset: block.offset });
  const bytes = block.bytes.slice(0, ref.byteLength);
  const about = { count, inputName: ref.name, modelName: "", requestId: "" };
  return readBytesElements(bytes, about).map((element) => Buffer.from(element).toString("utf8"));
}
