/** Entry of an instance's thread: loads its own session, then serves one execution at a time over its own connection. */
import { connect, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { NereidError } from "@nereid/errors";
import { FrameReader, writeFrame } from "../runner-protocol/frame.ts";
import type {
  CollectRequest,
  ExecuteRequest,
  InstanceReply,
  InstanceRequest,
  SessionSettings,
} from "../runner-protocol/messages.ts";
import { RUNNER_PROTOCOL } from "../runner-protocol/messages.ts";
import { monotonicNs } from "./monotonic.ts";
import { OnnxModel, type ProducedOutput } from "./onnx-model.ts";
import { arenaBytes, placeOutputs } from "./place-outputs.ts";
import { SegmentMap } from "./segment-map.ts";
import type { InstanceStart, ThreadReport } from "./thread-messages.ts";

interface Waiting {
  readonly id: number;
  readonly outputs: readonly ProducedOutput[];
  readonly inferStartNs: number;
  readonly inferEndNs: number;
}

class InstanceServer {
  readonly #model: OnnxModel;
  readonly #socket: Socket;
  readonly #segments = new SegmentMap();
  #waiting: Waiting | undefined;
  #turn: Promise<void> = Promise.resolve();
  #onCollected: () => void = () => undefined;

  constructor(model: OnnxModel, socket: Socket) {
    this.#model = model;
    this.#socket = socket;
  }

  /** Takes a message; executions run one after the other. A `collect` belongs to the execution that waits for it. */
  receive(request: InstanceRequest): void {
    // Now and not in its turn: a `collect` may use memory that an execution waiting behind it announced.
    if (request.type !== "discard") this.#segments.learn(request.segments ?? []);
    if (request.type === "discard") this.#discard(request.id);
    else if (request.type === "collect") void this.#handle(request);
    else this.#turn = this.#turn.then(() => this.#handle(request)).then(() => this.#collected());
  }

  async #handle(request: ExecuteRequest | CollectRequest): Promise<void> {
    try {
      if (request.type === "execute") await this.#execute(request);
      else this.#collect(request);
    } catch (error) {
      this.#waiting = undefined;
      this.#onCollected();
      this.#reply({ type: "failed", id: request.id, ...failureOf(error) });
    }
  }

  async #execute(request: ExecuteRequest): Promise<void> {
    this.#segments.forget(request.forget ?? []);
    const bufferOf = (segment: number) => this.#segments.bufferOf(segment);
    const inferStartNs = monotonicNs();
    const outputs = await this.#model.run(request.inputs, request.outputs, bufferOf);
    const inferEndNs = monotonicNs();
    const done: Waiting = { id: request.id, outputs, inferStartNs, inferEndNs };
    const byteLength = arenaBytes(outputs);
    if (byteLength > (request.arena?.byteLength ?? 0)) {
      this.#waiting = done;
      this.#reply({ type: "overflow", id: request.id, byteLength });
      return;
    }
    this.#finish(done, request.arena);
  }

  /** Resolves once no execution waits for room for its outputs. */
  #collected(): Promise<void> {
    if (this.#waiting === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onCollected = resolve;
    });
  }

  #discard(id: number): void {
    if (this.#waiting?.id !== id) return;
    this.#waiting = undefined;
    this.#onCollected();
  }

  #collect(request: CollectRequest): void {
    const waiting = this.#waiting;
    if (waiting === undefined || waiting.id !== request.id)
      throw new Error(`nothing to collect for execution ${request.id}`);
    this.#waiting = undefined;
    this.#finish(waiting, request.arena);
    this.#onCollected();
  }

  #finish(done: Waiting, arena: ExecuteRequest["arena"]): void {
    const outputs = placeOutputs(done.outputs, arena, (segment) => this.#segments.bufferOf(segment));
    const { id, inferStartNs, inferEndNs } = done;
    this.#reply({ type: "executed", id, inferStartNs, inferEndNs, outputs });
  }

  #reply(reply: InstanceReply): void {
    writeFrame(this.#socket, reply);
  }
}

function failureOf(error: unknown): { code: "INTERNAL" | "INVALID_ARGUMENT"; message: string } {
  const { code, message } = NereidError.from(error);
  return { code: code === "INVALID_ARGUMENT" ? code : "INTERNAL", message };
}

async function start(): Promise<void> {
  const { file, session, socketPath, index } = workerData as InstanceStart;
  const report = (message: ThreadReport) => parentPort?.postMessage(message);
  const model = await loadOrReport(file, session, report);
  if (model === undefined) return;
  const socket = connect(socketPath);
  const server = new InstanceServer(model, socket);
  const reader = new FrameReader((message) => server.receive(message as InstanceRequest));
  socket.on("data", (chunk) => reader.push(chunk));
  socket.on("error", () => socket.destroy());
  socket.on("close", () => void model.release().finally(() => parentPort?.close()));
  socket.on("connect", () => {
    writeFrame(socket, { type: "hello", role: "instance", protocol: RUNNER_PROTOCOL, index } satisfies InstanceReply);
    report({ type: "ready", index, inputs: model.inputs, outputs: model.outputs });
  });
}

async function loadOrReport(
  file: string,
  session: SessionSettings,
  report: (message: ThreadReport) => void,
): Promise<OnnxModel | undefined> {
  try {
    return await OnnxModel.load(file, session);
  } catch (error) {
    report({ type: "failed", message: NereidError.from(error).message });
    parentPort?.close();
    return undefined;
  }
}

await start();
