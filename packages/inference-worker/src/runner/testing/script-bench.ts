import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { byteSizeOf, type Datatype, encodeTensorValues, type TensorValues } from "@nereid/protocol";
import type { TensorRef } from "../../runner-protocol/messages.ts";
import type { InstanceChannel } from "../../runners/instance-channel.ts";
import type { RequestToExecute } from "../../runners/requests-execution.ts";
import type { LoadMessage, RunnerCommand } from "../../runners/runner-host.ts";
import { RunnerProcess } from "../../runners/runner-process.ts";
import type { SlabBlock } from "../../shm/slab.ts";
import { systemClock } from "../../time/clock.ts";
import { Collected } from "./collected.ts";

const RUNNER = fileURLToPath(new URL("../../../dist/runner.js", import.meta.url));

export const SESSION: LoadMessage["session"] = {
  executionProviders: [{ name: "cpu" }],
  intraOpThreads: 1,
  interOpThreads: 1,
  arena: true,
  memoryPattern: true,
  graphOptimization: "all",
  extra: {},
};

/** FP32 in, FP32 out, any size. */
export const FP32_CONFIG = {
  max_batch_size: 0,
  input: [{ name: "X", data_type: "TYPE_FP32", dims: [-1] }],
  output: [{ name: "Y", data_type: "TYPE_FP32", dims: [-1] }],
};

export interface TestTensor {
  readonly datatype?: Datatype;
  readonly shape?: readonly number[];
  readonly values: TensorValues & { readonly length: number };
}

export type TestRequest = Partial<Omit<RequestToExecute, "inputs">> & {
  readonly inputs?: Readonly<Record<string, TestTensor | readonly number[]>>;
};

export interface StartOptions {
  readonly config?: object;
  readonly file?: string;
  readonly instances?: number;
  readonly command?: RunnerCommand;
  readonly autoComplete?: boolean;
}

/** Real runners with scripts written on the spot, in a directory of their own. */
export class ScriptBench {
  readonly directory = mkdtempSync(join(tmpdir(), "nereid-script-"));
  /** Lines the runners wrote. */
  readonly lines: string[] = [];
  readonly #runners: RunnerProcess[] = [];
  #serial = 0;

  async close(): Promise<void> {
    for (const runner of this.#runners) {
      runner.kill("the test is over");
      await runner.ended();
    }
    rmSync(this.directory, { recursive: true });
  }

  runner(command: RunnerCommand = { program: process.execPath, args: [RUNNER] }): RunnerProcess {
    const runner = new RunnerProcess("script/1", {
      command,
      socketDirectory: this.directory,
      shmDirectory: this.directory,
      clock: systemClock,
      log: (line) => this.lines.push(line),
    });
    this.#runners.push(runner);
    return runner;
  }

  /** Writes the script as version 1 of a model and describes it. */
  describe(source: string, options: StartOptions = {}): LoadMessage {
    const directory = join(this.directory, `model${++this.#serial}`);
    const version = join(directory, "1");
    mkdirSync(version, { recursive: true });
    writeFileSync(join(version, options.file ?? "model.mjs"), source);
    const names = Array.from({ length: options.instances ?? 1 }, (_, index) => `script_0_${index}`);
    return {
      file: version,
      session: SESSION,
      devices: [],
      memoryLimitBytes: 0,
      backend: "javascript",
      model: {
        name: "script",
        version: "1",
        directory,
        config: JSON.stringify(options.config ?? FP32_CONFIG),
        instances: names.map((name) => ({ name, kind: "KIND_CPU", device: null })),
        ...(options.autoComplete !== undefined && { autoComplete: options.autoComplete }),
      },
    };
  }

  async start(source: string, options: StartOptions = {}) {
    const runner = this.runner(options.command);
    const signature = await runner.load(this.describe(source, options));
    const channels = await runner.startInstances(options.instances ?? 1);
    const [channel] = channels;
    if (channel === undefined) throw new Error("no instance");
    const run = (requests: readonly TestRequest[], how: { decoupled?: boolean; arenaBytes?: number } = {}) =>
      execute({ runner, channel }, requests, how);
    return { runner, signature, channel, channels, run };
  }
}

/** Sends requests to an instance; their inputs lie in the runner's slab until the runner ends. */
export function execute(
  { runner, channel }: { runner: RunnerProcess; channel: InstanceChannel },
  requests: readonly TestRequest[],
  how: { decoupled?: boolean; arenaBytes?: number } = {},
): Collected {
  const arena = how.arenaBytes === undefined ? undefined : runner.slab.allocate(how.arenaBytes);
  const execution = {
    requests: requests.map((one) => toExecute(runner, one)),
    decoupled: how.decoupled ?? false,
    arena,
  };
  return new Collected(requests.length, (sink) => channel.executeRequests(execution, sink));
}

function toExecute(runner: RunnerProcess, request: TestRequest): RequestToExecute {
  const { inputs = {}, ...rest } = request;
  return {
    id: "",
    outputs: ["Y"],
    parameters: new Map(),
    sequence: undefined,
    timeoutMicroseconds: 0,
    priority: 0,
    ...rest,
    inputs: Object.entries(inputs).map(([name, tensor]) => place(runner, name, tensor).ref),
  };
}

/** Puts a tensor into the runner's shared memory. */
export function place(
  runner: RunnerProcess,
  name: string,
  tensor: TestTensor | readonly number[],
): { readonly ref: TensorRef; readonly block: SlabBlock } {
  const {
    datatype = "FP32",
    values,
    shape = [values.length],
  } = "values" in tensor && !Array.isArray(tensor) ? (tensor as TestTensor) : { values: tensor as readonly number[] };
  const bytes = encodeTensorValues(datatype, values);
  const block = runner.slab.allocate(Math.max(bytes.byteLength, byteSizeOf(datatype)));
  block.bytes.set(bytes);
  const { segment, offset } = block;
  return { ref: { name, datatype, shape, segment, offset, byteLength: bytes.byteLength }, block };
}
