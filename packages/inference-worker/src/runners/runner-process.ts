import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { NereidError } from "@nereid/errors";
import { answerManage, answerMetric } from "../calls/answer-calls.ts";
import type { Caller } from "../calls/model-calls.ts";
import { abortable } from "../models/abortable.ts";
import { FrameReader, writeFrame } from "../runner-protocol/frame.ts";
import type { ControlReply, ControlRequest, InstanceDescription, InstanceReply } from "../runner-protocol/messages.ts";
import { RUNNER_PROTOCOL } from "../runner-protocol/messages.ts";
import { forbidCoreDumps, limitProcessors } from "../sandbox/process-limits.ts";
import { OPEN_SANDBOX, sandboxed, spawnUser } from "../sandbox/sandbox.ts";
import { Slab } from "../shm/slab.ts";
import { inheritedEnv } from "./env.ts";
import { InstanceChannel } from "./instance-channel.ts";
import { type Placement, PlacementReader } from "./placement.ts";
import { readRssBytes } from "./read-rss.ts";
import { type LoadMessage, type RunnerHost, type RunnerSignature, signatureOf } from "./runner-host.ts";
import { SilenceWatch } from "./silence-watch.ts";

interface Pending<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

const HEARTBEAT_MS = 300;
const SILENT_AFTER_MS = 950;
const KILL_AFTER_MS = 10_000;
const LOAD_WITHIN_MS = 900_000;
const CONNECT_WITHIN_MS = 60_000;
const LAST_WORDS_MS = 300;
const FINISH_WITHIN_MS = 5_000;
const LOG_LINE_MAX = 2_000;
const REASON_MAX = 500;
let serial = 0;

/** A runner process and its connections. It ends exactly once; `onExit` then says why. */
export class RunnerProcess {
  readonly name: string;
  readonly slab: Slab;
  readonly #host: RunnerHost;
  readonly #socketPath: string;
  /** Empty at first, and gone with the process. */
  readonly #workDirectory: string;
  readonly #server: Server;
  readonly #child: ChildProcess;
  readonly #channels = new Map<number, InstanceChannel>();
  readonly #exitListeners: ((reason: string) => void)[] = [];
  #control: Socket | undefined;
  #load: Pending<RunnerSignature> | undefined;
  #started: (Pending<void> & { readonly isThere: () => boolean }) | undefined;
  /** Of `start-instances`, in order; all but the last are given up. */
  #unanswered = 0;
  #expected = 1;
  /** Instances from `#expected` on were given up; they may still come. */
  #gaveUp = false;
  #heartbeat: NodeJS.Timeout | undefined;
  readonly #silence: SilenceWatch;
  #pingSequence = 0;
  #memoryLimitBytes = 0;
  #killReason: string | undefined;
  #exitReason: string | undefined;
  #loadMessage: LoadMessage | undefined;
  readonly #placement = new PlacementReader();
  /** Resident bytes of the bare process, just before the model was loaded. */
  rssBeforeLoad = 0;

  constructor(name: string, host: RunnerHost) {
    this.#host = host;
    const id = `${process.pid}-${++serial}`;
    this.name = name;
    this.slab = new Slab(host.shmDirectory, `nereid-${id}`, { owner: host.sandbox?.user });
    this.#socketPath = join(host.socketDirectory, `r${id}.sock`);
    this.#workDirectory = join(host.socketDirectory, `w${id}`);
    this.#silence = new SilenceWatch(host.clock.nowNs(), HEARTBEAT_MS);
    this.#server = createServer((socket) => this.#accept(socket));
    makeAgain(host.socketDirectory);
    this.#server.on("error", (error) => this.kill(`its socket could not be opened: ${error.message}`));
    this.#server.listen(this.#socketPath);
    this.#child = this.#spawn();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** False from the moment the process ended or stopped answering heartbeats. */
  get responsive(): boolean {
    return this.#exitReason === undefined && this.#silence.silentMs < SILENT_AFTER_MS;
  }

  /** Where the nodes of the graph run, if the engine was asked for more than the processor and has said so. */
  get placement(): Placement | undefined {
    return this.#placement.placement;
  }

  /** It has come to speak, and has set up what it owes to the server. */
  get connected(): boolean {
    return this.#control !== undefined;
  }

  get exitReason(): string | undefined {
    return this.#exitReason;
  }

  onExit(listener: (reason: string) => void): void {
    if (this.#exitReason === undefined) this.#exitListeners.push(listener);
    else listener(this.#exitReason);
  }

  /** Loads the model into instance 0 and returns the model's own signature. */
  load(message: LoadMessage): Promise<RunnerSignature> {
    const withinMs = this.#host.loadWithinMs ?? LOAD_WITHIN_MS;
    const timer = setTimeout(() => this.kill(`the load took longer than ${withinMs / 1000} s`), withinMs);
    const loaded = new Promise<RunnerSignature>((resolve, reject) => {
      if (this.#exitReason !== undefined) return reject(this.#gone());
      this.#memoryLimitBytes = message.memoryLimitBytes;
      this.#loadMessage = message;
      this.#load = { resolve, reject };
      this.#sendLoad();
    });
    return loaded.finally(() => clearTimeout(timer));
  }

  /**
   * Brings the number of instances to `count`; resolves with the channels once every one is connected. `instances` describes all of
   * them where those of `load` no longer do. Rejects when the signal aborts, or after the time of a load; `stopInstances` then gives
   * those up that are on their way.
   */
  async startInstances(
    count: number,
    instances?: readonly InstanceDescription[],
    signal?: AbortSignal,
  ): Promise<readonly InstanceChannel[]> {
    this.#expected = count;
    this.#gaveUp = false;
    await this.#startWith(
      { type: "start-instances", count, ...(instances && { instances }) },
      { isThere: () => this.#channels.size >= this.#expected, signal },
    );
    return this.channels;
  }

  /**
   * Ends one instance and starts it again; what it still has fails with this reason. Resolves with the new connection. Only where the
   * signature says `restartsInstances`.
   */
  async restartInstance(index: number, reason: string): Promise<InstanceChannel> {
    const old = this.#channels.get(index);
    this.#channels.delete(index);
    const started = this.#startWith({ type: "restart-instance", index }, { isThere: () => this.#channels.has(index) });
    old?.end(reason);
    await started;
    const channel = this.#channels.get(index);
    if (channel === undefined) throw this.#gone();
    return channel;
  }

  async #startWith(
    request: ControlRequest,
    { isThere, signal }: { readonly isThere: () => boolean; readonly signal?: AbortSignal | undefined },
  ): Promise<void> {
    const started = new Promise<void>((resolve, reject) => {
      if (this.#exitReason !== undefined) return reject(this.#gone());
      this.#started = { resolve, reject, isThere };
      this.#unanswered += 1;
      this.#send(request);
      this.#checkStarted();
    });
    const withinMs = this.#host.loadWithinMs ?? LOAD_WITHIN_MS;
    const late = new AbortController();
    const tooLong = `the instances took longer than ${withinMs / 1000} s to start`;
    const timer = setTimeout(() => late.abort(new NereidError("UNAVAILABLE", tooLong)), withinMs);
    try {
      await abortable(started, signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]));
    } finally {
      clearTimeout(timer);
    }
  }

  /** The instances' connections by index. */
  get channels(): readonly InstanceChannel[] {
    return [...this.#channels.values()].sort((a, b) => a.index - b.index);
  }

  /** Ends the instances from index `count` on, which must be idle or on their way; their threads and memory go. */
  stopInstances(count: number): void {
    const starting = this.#started !== undefined;
    this.#expected = count;
    this.#gaveUp = true;
    this.#started = undefined;
    const surplus = this.channels.filter(({ index }) => index >= count);
    if (surplus.length === 0 && !starting) return;
    this.#send({ type: "stop-instances", count });
    for (const channel of surplus) {
      this.#channels.delete(channel.index);
      channel.end();
    }
  }

  rssBytes(): number | undefined {
    return this.#exitReason === undefined ? readRssBytes(this.pid) : undefined;
  }

  /** Gives back shared memory that has stood empty; call it now and then. */
  sweep(): void {
    this.slab.sweep();
  }

  /** Ends the process at once. All memory of the model goes with it. */
  kill(reason: string): void {
    this.#killReason ??= reason;
    this.#child.kill("SIGKILL");
    this.#killGroup();
  }

  /** What the runner itself has started. */
  #killGroup(): void {
    if (this.pid === 0) return;
    try {
      process.kill(-this.pid, "SIGKILL");
    } catch {
      // Nobody is left, which is as it should be.
    }
  }

  /**
   * Lets the model finish what it has to (a script's `finalize`), then ends the process, at the latest after `withinMs`. Resolves
   * when it has ended.
   */
  async finish(reason: string, withinMs = FINISH_WITHIN_MS): Promise<void> {
    this.#killReason ??= reason;
    const timer = setTimeout(() => this.kill(reason), withinMs);
    if (this.#control === undefined) this.kill(reason);
    else this.#send({ type: "shutdown" });
    await this.ended();
    clearTimeout(timer);
  }

  async ended(): Promise<void> {
    if (this.#exitReason !== undefined) return;
    await new Promise<void>((resolve) => this.onExit(() => resolve()));
  }

  #spawn(): ChildProcess {
    const sandbox = this.#host.sandbox ?? OPEN_SANDBOX;
    const { program, args } = sandboxed(this.#host.command, sandbox, process.getuid?.() === 0);
    mkdirSync(this.#workDirectory, { mode: 0o700 });
    if (sandbox.user !== undefined) this.#handOver(sandbox.user);
    const child = spawn(program, args, {
      cwd: this.#workDirectory,
      // A group of its own: what the model starts ends with it, and a terminal's Ctrl-C is the server's business.
      detached: true,
      ...spawnUser(sandbox),
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...inheritedEnv(),
        ...this.#host.env,
        NEREID_RUNNER_SOCKET: this.#socketPath,
        // glibc must be told before start to hand large freed blocks back to the system, or memory stays after a burst.
        MALLOC_MMAP_THRESHOLD_: "1048576",
        MALLOC_ARENA_MAX: "2",
      },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8");
      stream?.on("data", (text: string) => {
        for (const line of text.split("\n"))
          if (line.trim() !== "" && !this.#placement.read(line))
            this.#host.log(line.slice(0, LOG_LINE_MAX), { runner: this.name });
      });
    }
    child.on("error", (error) => this.#end(`could not be started: ${error.message}`));
    child.on("exit", (code, signal) => this.#end(this.#killReason ?? exitText(code, signal)));
    this.#volunteerForOomKiller(child.pid);
    forbidCoreDumps(child.pid ?? 0);
    if (this.#host.processorLimit !== undefined) limitProcessors(child.pid ?? 0, this.#host.processorLimit);
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#heartbeat.unref();
    return child;
  }

  /** Socket and working directory for the user that the runner runs as. */
  #handOver({ uid, gid }: { readonly uid: number; readonly gid: number }): void {
    chownSync(this.#workDirectory, uid, gid);
    chownSync(this.#socketPath, uid, gid);
  }

  /** When the machine runs out of memory the kernel should take a runner, not the server. */
  #volunteerForOomKiller(pid: number | undefined): void {
    try {
      writeFileSync(`/proc/${pid}/oom_score_adj`, "900");
    } catch {
      // No /proc: nothing to volunteer to.
    }
  }

  #beat(): void {
    this.#silence.beat(this.#host.clock.nowNs());
    const rss = this.rssBytes() ?? 0;
    if (this.#memoryLimitBytes > 0 && rss > this.#memoryLimitBytes) {
      this.kill(`used ${rss} bytes of memory, more than its limit of ${this.#memoryLimitBytes}`);
      return;
    }
    if (this.#control === undefined) {
      if (this.#silence.silentMs > CONNECT_WITHIN_MS) this.kill("did not connect within 60 s");
      return;
    }
    if (this.#silence.silentMs > KILL_AFTER_MS) this.kill("did not answer heartbeats for 10 s");
    this.#send({ type: "ping", sequence: ++this.#pingSequence });
  }

  #accept(socket: Socket): void {
    let receive: ((message: unknown) => void) | undefined;
    const reader = new FrameReader((message) => {
      if (receive !== undefined) return receive(message);
      receive = this.#greet(socket, message as ControlReply | InstanceReply);
    });
    socket.on("data", (chunk) => {
      try {
        reader.push(chunk);
      } catch (error) {
        // Whatever a runner sends, the server goes on.
        socket.destroy();
        this.kill(`broke the runner protocol: ${NereidError.from(error).message}`);
      }
    });
    socket.on("error", () => socket.destroy());
  }

  #greet(socket: Socket, message: ControlReply | InstanceReply): ((message: unknown) => void) | undefined {
    if (message.type !== "hello") {
      socket.destroy();
      return undefined;
    }
    if (message.protocol !== RUNNER_PROTOCOL) {
      this.kill(`speaks version ${message.protocol} of the runner protocol; this server speaks ${RUNNER_PROTOCOL}`);
      return undefined;
    }
    if (message.role === "control") {
      this.#control = socket;
      this.#silence.heard(this.#host.clock.nowNs());
      this.#sendLoad();
      return (reply) => this.#onControl(reply as ControlReply);
    }
    if (this.#gaveUp && message.index >= this.#expected) {
      socket.destroy();
      return undefined;
    }
    if (!Number.isSafeInteger(message.index) || message.index < 0 || this.#channels.has(message.index)) {
      socket.destroy();
      this.kill(`opened a connection for instance ${String(message.index)}, which it has already or cannot have`);
      return undefined;
    }
    const channel = new InstanceChannel(message.index, socket, {
      slab: this.slab,
      model: this.name,
      pid: this.pid,
      calls: this.#host.calls,
    });
    this.#channels.set(message.index, channel);
    // The connection closes a moment before the end of the process is known. Only that end closes the channel: it brings the
    // true reason, and no instance is handed out that has already gone. A runner that lost only the instance may still say why.
    socket.on("close", () => {
      if (channel.ending || this.#exitReason !== undefined) return;
      setTimeout(() => this.kill(`closed the connection of instance ${channel.index}`), LAST_WORDS_MS).unref();
    });
    this.#checkStarted();
    return (reply) => channel.receive(reply as InstanceReply);
  }

  #onControl(reply: ControlReply): void {
    this.#silence.heard(this.#host.clock.nowNs());
    switch (reply.type) {
      case "loaded":
        this.#load?.resolve(signatureOf(reply));
        this.#load = undefined;
        return;
      case "failed":
        // That of instances which were given up says nothing of those that are started now.
        if (reply.stage !== "start-instances" || this.#answered())
          this.#fail(new NereidError("INVALID_ARGUMENT", reply.message));
        return;
      case "started":
        this.#answered();
        return;
      case "fatal":
        this.kill(String(reply.message).slice(0, REASON_MAX));
        return;
      case "log":
        this.#host.calls?.log(this.#caller, reply.level, String(reply.message));
        return;
      case "metric":
        this.#send(answerMetric(this.#host.calls, this.#caller, reply));
        return;
      case "call-manage":
        void answerManage(this.#host.calls, reply).then((done) => this.#send(done));
        return;
      default:
        return;
    }
  }

  get #caller(): Caller {
    return { model: this.name, instance: -1, pid: this.pid };
  }

  #sendLoad(): void {
    if (this.#control !== undefined && this.#loadMessage !== undefined && this.#load !== undefined) {
      this.rssBeforeLoad = this.rssBytes() ?? 0;
      this.#send({ type: "load", ...this.#loadMessage });
      this.#loadMessage = undefined;
    }
  }

  /** One `start-instances` less; true for the answer to the last. */
  #answered(): boolean {
    this.#unanswered = Math.max(0, this.#unanswered - 1);
    return this.#unanswered === 0;
  }

  #checkStarted(): void {
    if (this.#started?.isThere() !== true) return;
    this.#started.resolve();
    this.#started = undefined;
  }

  #send(request: ControlRequest): void {
    if (this.#control?.writable === true) writeFrame(this.#control, request);
  }

  #fail(error: Error): void {
    this.#load?.reject(error);
    this.#started?.reject(error);
    this.#load = undefined;
    this.#started = undefined;
  }

  #gone(): NereidError {
    return new NereidError("UNAVAILABLE", `the runner process ended: ${this.#exitReason ?? "unknown reason"}`);
  }

  #end(reason: string): void {
    if (this.#exitReason !== undefined) return;
    this.#exitReason = reason;
    clearInterval(this.#heartbeat);
    this.#server.close();
    this.#control?.destroy();
    for (const channel of this.#channels.values()) channel.close(reason);
    this.#host.calls?.left(this.#caller);
    this.#fail(this.#gone());
    this.slab.close();
    rmSync(this.#socketPath, { force: true });
    this.#killGroup();
    rmSync(this.#workDirectory, { recursive: true, force: true });
    for (const listener of this.#exitListeners) listener(reason);
  }
}

/** Whoever cleans temporary directories may have taken it. Where that fails, opening the socket says why. */
function makeAgain(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch {
    // Told when the socket is opened.
  }
}

function exitText(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
