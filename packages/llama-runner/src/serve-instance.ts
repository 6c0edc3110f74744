import { connect } from "node:net";
import {
  FrameReader,
  type InstanceReply,
  type InstanceRequest,
  RequestsServer,
  RUNNER_PROTOCOL,
  writeFrame,
} from "@nereid/inference-worker/runner-kit";
import type { LlamaInstance } from "./llama-instance.ts";

/** Serves an instance over a connection of its own; resolves when that is open. `closed` is called when the server has closed it. */
export function serveInstance(
  instance: LlamaInstance,
  at: { readonly socketPath: string; readonly index: number; readonly closed: () => void },
): Promise<void> {
  const socket = connect(at.socketPath);
  const send = (reply: InstanceReply) => writeFrame(socket, reply);
  const server = new RequestsServer(instance, send);
  const reader = new FrameReader((message) => server.receive(message as InstanceRequest));
  socket.on("data", (chunk) => reader.push(chunk));
  socket.on("error", () => socket.destroy());
  socket.on("close", at.closed);
  return new Promise((resolve) => {
    socket.on("connect", () => {
      send({ type: "hello", role: "instance", protocol: RUNNER_PROTOCOL, index: at.index });
      resolve();
    });
  });
}
