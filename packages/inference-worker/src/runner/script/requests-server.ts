import { NereidError } from "@nereid/errors";
import type { CallRequest } from "../../runner-protocol/call-messages.ts";
import type { ExecuteRequestsRequest, InstanceReply, InstanceRequest } from "../../runner-protocol/messages.ts";
import { SegmentMap } from "../segment-map.ts";
import { CallClient } from "./call-client.ts";
import type { RequestsModel } from "./requests-model.ts";
import { ScriptRun } from "./script-run.ts";

export interface RequestsHost {
  readonly segments?: SegmentMap;
  readonly calls?: CallClient;
}

/** Serves a model that sees single requests: executions run one after the other, responses go out when they are given. */
export class RequestsServer {
  readonly #model: RequestsModel;
  readonly #send: (reply: InstanceReply) => void;
  readonly #segments: SegmentMap;
  readonly #calls: CallClient;
  readonly #runs = new Map<number, ScriptRun>();
  #turn: Promise<void> = Promise.resolve();

  /** With `calls`, what the model asks of the server; it must be attached to the same connection. */
  constructor(model: RequestsModel, send: (reply: InstanceReply) => void, host: RequestsHost = {}) {
    this.#model = model;
    this.#send = send;
    this.#segments = host.segments ?? new SegmentMap();
    this.#calls = host.calls ?? new CallClient();
  }

  receive(message: InstanceRequest): void {
    // Now and not in its turn: a `place` may use memory that an execution waiting behind it announced.
    if ("segments" in message) this.#segments.learn(message.segments ?? []);
    if (message.type === "execute-requests") this.#execute(message);
    else if (message.type === "place" || message.type === "drop" || message.type === "cancel")
      this.#runs.get(message.id)?.receive(message);
    else if (message.type === "check-readiness") void this.#tellReadiness(message.check);
    else if (isCallMessage(message)) this.#calls.receive(message);
    else this.#send({ type: "failed", id: message.id, code: "INTERNAL", message: "this model takes execute-requests" });
  }

  async #tellReadiness(check: number): Promise<void> {
    const { ready, message } = (await this.#model.readiness?.()) ?? { ready: true };
    this.#send({ type: "readiness", check, ready, ...(message !== undefined && { message }) });
  }

  #execute(message: ExecuteRequestsRequest): void {
    const { id } = message;
    const bufferOf = (segment: number) => this.#segments.bufferOf(segment);
    const closed = () => void this.#runs.delete(id);
    const run = new ScriptRun(message, { model: this.#model, bufferOf, send: this.#send, closed });
    this.#runs.set(id, run);
    this.#turn = this.#turn.then(async () => {
      this.#segments.forget(message.forget ?? []);
      try {
        await run.execute();
      } catch (error) {
        this.#runs.delete(id);
        this.#send({ type: "failed", id, code: "INTERNAL", message: NereidError.from(error).message });
      }
    });
  }
}

function isCallMessage(message: InstanceRequest): message is Exclude<CallRequest, { type: "check-readiness" }> {
  return (
    message.type === "call-place" ||
    message.type === "call-refused" ||
    message.type === "call-answer" ||
    message.type === "call-done"
  );
}
