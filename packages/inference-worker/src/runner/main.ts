/**
 * Entry of a runner process: one loaded model version. The main thread only speaks the control protocol, so a heartbeat
 * is answered while every instance computes.
 */
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { FrameReader, writeFrame } from "../runner-protocol/frame.ts";
import type { ControlReply, ControlRequest, SessionSettings } from "../runner-protocol/messages.ts";
import { RUNNER_PROTOCOL } from "../runner-protocol/messages.ts";
import { limitPrivateMemory } from "../shm/libc.ts";
import { readEnv } from "./env.ts";
import type { InstanceStart, ThreadReport } from "./thread-messages.ts";

const { socketPath } = readEnv();
const control = connect(socketPath);
let loadRequest: Extract<ControlRequest, { type: "load" }> | undefined;
let running = 0;
const EXIT_GRACE_MS = 100;
/** Threads by instance index; those no longer wanted are not among them. */
const workers = new Map<number, Worker>();

const send = (reply: ControlReply) => writeFrame(control, reply);

/**
 * Last resort of every exit: a native call in progress makes an ordinary exit abort noisily; SIGKILL is silent and gives
 * all memory back. Nothing here is worth flushing.
 */
function leave(): void {
  process.kill(process.pid, "SIGKILL");
}

function onDevice(session: SessionSettings, device: number | null): SessionSettings {
  if (device === null) return session;
  const executionProviders = session.executionProviders.map((provider) =>
    provider.name === "cpu" ? provider : { ...provider, deviceId: device },
  );
  return { ...session, executionProviders };
}

function startInstance(index: number): Promise<Extract<ThreadReport, { type: "ready" }>> {
  if (loadRequest === undefined) return Promise.reject(new Error("start-instances before load"));
  const session = onDevice(loadRequest.session, loadRequest.devices[index] ?? null);
  const start: InstanceStart = { file: loadRequest.file, session, socketPath, index };
  const worker = new Worker(new URL("./instance-thread.js", import.meta.url), { workerData: start });
  workers.set(index, worker);
  let ready = false;
  return new Promise((resolve, reject) => {
    worker.on("message", (report: ThreadReport) => {
      if (report.type === "ready") {
        ready = true;
        resolve(report);
      } else reject(new Error(report.message));
    });
    worker.on("error", reject);
    worker.on("exit", (code) => {
      reject(new Error(`instance thread ended with code ${code}`));
      // A thread that ends after it was ready leaves an instance that would never answer; the server starts the runner anew.
      // The message that it is not wanted any more may still lie in the other connection.
      setTimeout(() => {
        if (ready && workers.get(index) === worker) leave();
      }, EXIT_GRACE_MS);
    });
  });
}

async function handle(request: ControlRequest): Promise<void> {
  switch (request.type) {
    case "load": {
      loadRequest = request;
      if (request.memoryLimitBytes > 0) limitPrivateMemory(request.memoryLimitBytes);
      const first = await startInstance(0);
      running = 1;
      send({ type: "loaded", inputs: first.inputs, outputs: first.outputs });
      return;
    }
    case "start-instances": {
      // One after the other: loading in parallel multiplies the memory peak.
      for (; running < request.count; running++) await startInstance(running);
      send({ type: "started", count: running });
      return;
    }
    case "stop-instances":
      for (const index of [...workers.keys()]) if (index >= request.count) workers.delete(index);
      running = Math.min(running, request.count);
      return;
    case "ping":
      send({ type: "pong", sequence: request.sequence });
      return;
    case "shutdown":
      leave();
  }
}

const reader = new FrameReader((message) => {
  const request = message as ControlRequest;
  handle(request).catch((error: unknown) => {
    const stage = request.type === "start-instances" ? "start-instances" : "load";
    send({ type: "failed", stage, message: error instanceof Error ? error.message : String(error) });
  });
});

control.on("connect", () => send({ type: "hello", role: "control", protocol: RUNNER_PROTOCOL, pid: process.pid }));
control.on("data", (chunk) => reader.push(chunk));
control.on("error", leave);
control.on("close", leave);
// The server ends its runners itself, after they have drained; a terminal's Ctrl-C reaches the whole group.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
