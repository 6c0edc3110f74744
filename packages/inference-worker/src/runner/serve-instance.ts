import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { NereidError } from "@nereid/errors";
import { FrameReader, writeFrame } from "../runner-protocol/frame.ts";
import { type InstanceReply, type InstanceRequest, RUNNER_PROTOCOL } from "../runner-protocol/messages.ts";
import type { InstanceService } from "./instance-service.ts";
import type { InstanceStart, ThreadOrder, ThreadReport } from "./thread-messages.ts";

/** The life of an instance's thread: loads its own copy of the model, then serves it over its own connection. */
export async function serveInstance(load: (start: InstanceStart) => Promise<InstanceService>): Promise<void> {
  const start = workerData as InstanceStart;
  const report = (message: ThreadReport) => parentPort?.postMessage(message);
  const service = await loadOrReport(load, start, report);
  if (service === undefined) return;
  const socket = connect(start.socketPath);
  socket.on("error", () => socket.destroy());
  const leave = () => (service.lingers === true ? process.exit() : parentPort?.close());
  socket.on("close", () => void service.close().finally(leave));
  socket.on("connect", () => {
    const { index } = start;
    writeFrame(socket, { type: "hello", role: "instance", protocol: RUNNER_PROTOCOL, index } satisfies InstanceReply);
    // Only now: a model may have something to say as soon as it can.
    const receive = service.open((reply) => writeFrame(socket, reply));
    const reader = new FrameReader((message) => receive(message as InstanceRequest));
    socket.on("data", (chunk) => reader.push(chunk));
    report({ type: "ready", signature: service.signature });
  });
  parentPort?.on("message", (order: ThreadOrder) => {
    if (order.type === "finish") void service.close().finally(() => report({ type: "finished" }));
  });
}

async function loadOrReport(
  load: (start: InstanceStart) => Promise<InstanceService>,
  start: InstanceStart,
  report: (message: ThreadReport) => void,
): Promise<InstanceService | undefined> {
  try {
    return await load(start);
  } catch (error) {
    // The main thread ends the process, whatever the model left running here.
    report({ type: "failed", message: NereidError.from(error).message });
    parentPort?.close();
    return undefined;
  }
}
