/**
 * Entry of a runner process: one loaded model version. The main thread only speaks the control protocol, so a heartbeat
 * is answered while every instance computes.
 */
import { connect } from "node:net";
import { FrameReader, writeFrame } from "../runner-protocol/frame.ts";
import type { ControlReply, ControlRequest } from "../runner-protocol/messages.ts";
import { RUNNER_PROTOCOL } from "../runner-protocol/messages.ts";
import { dieWithParent, limitPrivateMemory } from "../shm/libc.ts";
import { readEnv } from "./env.ts";
import { InstanceThreads } from "./instance-threads.ts";

dieWithParent();
const { socketPath } = readEnv();
const control = connect(socketPath);
/** Long enough for a last message to be read before the process is gone. */
const FATAL_GRACE_MS = 200;
let threads: InstanceThreads | undefined;
/** 0 = none. */
let memoryLimitBytes = 0;

const send = (reply: ControlReply) => writeFrame(control, reply);

/**
 * Last resort of every exit: a native call in progress makes an ordinary exit abort noisily; SIGKILL is silent and gives
 * all memory back. Nothing here is worth flushing. With it goes what the model has started: a server that was killed cannot do that.
 */
function leave(): void {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    process.kill(process.pid, "SIGKILL");
  }
}

function die(reason: string): void {
  send({ type: "fatal", message: reason });
  setTimeout(leave, FATAL_GRACE_MS);
}

async function handle(request: ControlRequest): Promise<void> {
  switch (request.type) {
    case "load": {
      memoryLimitBytes = request.memoryLimitBytes;
      if (request.memoryLimitBytes > 0) limitPrivateMemory(request.memoryLimitBytes);
      threads = new InstanceThreads(request, { socketPath, die });
      send({ type: "loaded", restarts: true, ...(await threads.startFirst()) });
      return;
    }
    case "start-instances": {
      if (threads === undefined) throw new Error("start-instances before load");
      if (request.instances !== undefined) threads.describe(request.instances);
      send({ type: "started", count: await threads.startUpTo(request.count) });
      return;
    }
    case "stop-instances":
      threads?.stopFrom(request.count);
      return;
    case "restart-instance":
      if (threads === undefined) throw new Error("restart-instance before load");
      await threads.restart(request.index);
      send({ type: "started", count: threads.running });
      return;
    case "ping":
      send({ type: "pong", sequence: request.sequence });
      return;
    case "shutdown":
      await threads?.finish();
      leave();
  }
}

/** The system's word for a thread that has no room says nothing to whoever set the limit. */
function failureText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (!/\b(EAGAIN|ENOMEM)\b/.test(text) || memoryLimitBytes === 0) return text;
  return `no memory is left to start a thread within memory_limit_bytes (${memoryLimitBytes}); raise the limit (${text})`;
}

const reader = new FrameReader((message) => {
  const request = message as ControlRequest;
  handle(request).catch((error: unknown) => {
    const stage = request.type === "load" ? "load" : "start-instances";
    send({ type: "failed", stage, message: failureText(error) });
  });
});

control.on("connect", () => send({ type: "hello", role: "control", protocol: RUNNER_PROTOCOL, pid: process.pid }));
control.on("data", (chunk) => reader.push(chunk));
control.on("error", leave);
control.on("close", leave);
// The server ends its runners itself, after they have drained; a terminal's Ctrl-C reaches the whole group.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
