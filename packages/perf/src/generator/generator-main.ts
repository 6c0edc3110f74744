import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { nowMs } from "./clock.ts";
import { DueClock } from "./due-clock.ts";
import { errorText } from "./error-text.ts";
import { GrpcConnections } from "./grpc-connections.ts";
import { HttpLoadLane } from "./http-lane.ts";
import type { Lane } from "./lane.ts";
import { LoadRun } from "./load-runner.ts";
import { type LoadSpec, shareOf } from "./load-spec.ts";
import type { FromGenerator, GeneratorFlush, ToGenerator } from "./messages.ts";
import { requestSource } from "./request-source.ts";
import { runClosedLoop } from "./run-closed-loop.ts";
import { runOpenLoop } from "./run-open-loop.ts";
import { TextAnswer } from "./text-answer.ts";
import { TextEvents } from "./text-events.ts";

const LAG_RESOLUTION_MS = 10;
const STOP_WAIT_MS = 2_000;

interface Running {
  readonly run: LoadRun;
  /** Ends the sequences that are left in the middle. */
  readonly endSequences: () => Promise<void>;
  /** Lets an open loop see at once that it was stopped. */
  readonly wake: () => void;
  readonly close: () => void;
}

let running: Running | undefined;
let begin: (startMs: number) => Promise<void> = () => Promise.reject(new Error("nothing was prepared"));
let cpu = process.cpuUsage();
const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
lag.enable();

function tell(message: FromGenerator): void {
  // Whoever measured may be gone by now; "disconnect" says so.
  process.send?.(message, undefined, undefined, () => undefined);
}

function lanesOf({ target, streams }: LoadSpec): { readonly lane: () => Lane; readonly close: () => void } {
  const made: Lane[] = [];
  const grpc = target.protocol === "grpc" ? new GrpcConnections(target) : undefined;
  const texts = streams[0]?.[0]?.kind === "body";
  const textReader = () => (target.streaming ? new TextEvents() : new TextAnswer());
  const lane = () => {
    const one =
      grpc?.lane() ??
      new HttpLoadLane({ host: target.host, port: target.port, reader: texts ? textReader : undefined });
    made.push(one);
    return one;
  };
  const close = () => {
    for (const one of made) one.close();
    grpc?.close();
  };
  return { lane, close };
}

/** Makes everything ready, and answers what begins the load. */
async function prepare(spec: LoadSpec): Promise<(startMs: number) => Promise<void>> {
  const { shape, share } = spec;
  const { lane, close } = lanesOf(spec);
  const mine = shape.kind === "closed" ? { kind: shape.kind, concurrency: shareOf(shape.concurrency, share) } : shape;
  const run = new LoadRun(spec, requestSource({ ...spec, shape: mine }));
  const lanes = Array.from({ length: mine.kind === "closed" ? mine.concurrency : 1 }, lane);
  await Promise.all(lanes.map((one) => one.open()));
  const clock = mine.kind === "open" ? await DueClock.start() : undefined;
  let closed = false;
  let ending: Promise<void> = Promise.resolve();
  let ender: Lane | undefined;
  const endSequences = () => {
    ending = ending.then(async () => {
      // A lane of its own: the others may hold requests that wait for the very places that are given free here.
      for (const bytes of run.source.ends()) {
        if (closed) return;
        ender ??= lane();
        await ender.send(bytes);
      }
    });
    return ending;
  };
  const end = () => {
    closed = true;
    clock?.[Symbol.dispose]();
    close();
  };
  running = { run, endSequences, wake: () => clock?.wakeNow(), close: end };
  return async (startMs) => {
    flush();
    tell({ kind: "started" });
    if (mine.kind === "open" && clock !== undefined) {
      await runOpenLoop(run, { arrivals: mine.arrivals, startMs, clock }, () => lanes.pop() ?? lane());
    } else {
      await pause(startMs - nowMs());
      await runClosedLoop(run, lanes);
    }
    // Recorded arrivals end by themselves.
    if (spec.total === undefined && !(mine.kind === "open" && mine.arrivals.kind === "recorded")) return;
    while (run.underWay > 0 && !run.stopping) {
      await endSequences();
      await pause(1);
    }
    await endSequences();
    // One that was stopped may get here while the next load runs: that one has not ended.
    if (!run.stopping) tell({ kind: "ended" });
  };
}

function flush(): GeneratorFlush {
  const { user, system } = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  const lagMs = lag.count === 0 ? 0 : Math.max(0, lag.max / 1e6 - LAG_RESOLUTION_MS);
  lag.reset();
  const numbers = running?.run.records.take() ?? new Float64Array();
  const failure = running?.run.failure;
  if (running !== undefined) running.run.failure = undefined;
  return { numbers, cpuMs: (user + system) / 1000, lagMs, failure };
}

async function stop(): Promise<void> {
  const ending = running;
  running = undefined;
  if (ending !== undefined) {
    ending.run.stop();
    ending.wake();
    const ended = ending.run.ended().then(ending.endSequences);
    await Promise.race([ended, pause(STOP_WAIT_MS, undefined, { ref: false })]);
    ending.close();
  }
  tell({ kind: "stopped" });
}

function failed(error: unknown): void {
  tell({ kind: "failed", message: errorText(error) });
}

async function hear(message: ToGenerator): Promise<void> {
  switch (message.kind) {
    case "prepare":
      begin = await prepare(message.spec);
      tell({ kind: "prepared" });
      break;
    case "go":
      await begin(message.atMs);
      break;
    case "flush":
      tell({ kind: "flushed", flush: flush() });
      break;
    case "stop":
      await stop();
  }
}

process.on("message", (message: ToGenerator) => {
  hear(message).catch(failed);
});
// The measuring process is gone.
process.on("disconnect", () => process.exit(0));
// Ctrl-C reaches the whole group of processes; the measuring one says when to stop.
process.on("SIGINT", () => undefined);
