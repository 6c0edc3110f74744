/**
 * Entry of the runner of GGUF models: one loaded model version. llama.cpp computes on threads of its own, so the one thread of
 * JavaScript is free to answer heartbeats.
 */
import { connect } from "node:net";
import { NereidError } from "@nereid/errors";
import {
  type ControlReply,
  type ControlRequest,
  dieWithParent,
  FrameReader,
  limitPrivateMemory,
  RUNNER_PROTOCOL,
  writeFrame,
} from "@nereid/inference-worker/runner-kit";
import { readEnv } from "./env.ts";
import { LlamaHost } from "./llama-host.ts";

dieWithParent();
const { socketPath, packageDirectory } = readEnv();
const control = connect(socketPath);
let host: LlamaHost | undefined;

const send = (reply: ControlReply) => writeFrame(control, reply);

/** Silent, whatever the engine is doing, and all memory goes back. */
function leave(): void {
  process.kill(process.pid, "SIGKILL");
}

async function handle(request: ControlRequest): Promise<void> {
  switch (request.type) {
    case "load": {
      if (request.memoryLimitBytes > 0) limitPrivateMemory(request.memoryLimitBytes);
      const loaded = await LlamaHost.load(request, { socketPath, packageDirectory, send });
      host = loaded.host;
      send({ type: "loaded", ...loaded.signature });
      return;
    }
    case "start-instances":
      if (host === undefined) throw new Error("start-instances before load");
      send({ type: "started", count: await host.startUpTo(request.count) });
      return;
    case "stop-instances":
      host?.stopFrom(request.count);
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
    send({ type: "failed", stage, message: NereidError.from(error).message });
  });
});

control.on("connect", () => send({ type: "hello", role: "control", protocol: RUNNER_PROTOCOL, pid: process.pid }));
control.on("data", (chunk) => reader.push(chunk));
control.on("error", leave);
control.on("close", leave);
// The server ends its runners itself, after they have drained; a terminal's Ctrl-C reaches the whole group.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
