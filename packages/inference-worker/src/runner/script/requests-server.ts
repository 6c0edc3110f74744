import { NereidError } from "@nereid/errors";
import type { ExecuteRequestsRequest, InstanceReply, InstanceRequest } from "../../runner-protocol/messages.ts";
import { SegmentMap } from "../segment-map.ts";
import type { ScriptModel } from "./script-model.ts";
import { ScriptRun } from "./script-run.ts";

/** Serves a model that sees single requests: executions run one after the other, responses go out when they are given. */
export class RequestsServer {
  readonly #model: ScriptModel;
  readonly #send: (reply: InstanceReply) => void;
  readonly #segments = new SegmentMap();
  readonly #runs = new Map<number, ScriptRun>();
  #turn: Promise<void> = Promise.resolve();

  constructor(model: ScriptModel, send: (reply: InstanceReply) => void) {
    this.#model = model;
    this.#send = send;
  }

  receive(message: InstanceRequest): void {
    // Now and not in its turn: a `place` may use memory that an execution waiting behind it announced.
    if ("segments" in message) this.#segments.learn(message.segments ?? []);
    if (message.type === "execute-requests") this.#execute(message);
    else if (message.type === "place" || message.type === "drop" || message.type === "cancel")
      this.#runs.get(message.id)?.receive(message);
    else this.#send({ type: "failed", id: message.id, code: "INTERNAL", message: "this model takes execute-requests" });
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
