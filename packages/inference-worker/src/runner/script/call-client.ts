import type {
  CallAnswerRequest,
  CallDoneRequest,
  CallManageReply,
  CallReply,
  CallRequest,
  MetricReply,
} from "../../runner-protocol/call-messages.ts";
import type { InstanceReply, TensorPlace } from "../../runner-protocol/messages.ts";
import { Called } from "./called.ts";

type Inference = Omit<Extract<CallReply, { type: "call-infer" }>, "type" | "call">;

interface Waiting {
  readonly place: (place: TensorPlace | undefined, error: Called | undefined) => void;
}

/** A call under way: its answers in order. */
export interface InferenceCall {
  /** The next answer; undefined after the final one. Rejects with `Called` for an error. Release what came before asking again. */
  next(): Promise<CallAnswerRequest | undefined>;
  release(answer: number): void;
  cancel(): void;
}

/** The runner's end of the calls that a model makes; what is sent before the connection is there waits for it. */
export class CallClient {
  #send: ((reply: InstanceReply) => void) | undefined;
  #early: CallReply[] = [];
  #next = 1;
  readonly #rooms = new Map<number, Waiting>();
  readonly #answers = new Map<number, (answer: CallAnswerRequest) => void>();
  readonly #done = new Map<number, (done: CallDoneRequest) => void>();

  attach(send: (reply: InstanceReply) => void): void {
    this.#send = send;
    for (const message of this.#early.splice(0)) send(message);
  }

  receive(message: Exclude<CallRequest, { type: "check-readiness" }>): void {
    switch (message.type) {
      case "call-place":
        this.#rooms.get(message.call)?.place(message.arena, undefined);
        this.#rooms.delete(message.call);
        return;
      case "call-refused":
        this.#rooms.get(message.call)?.place(undefined, new Called(message.error));
        this.#rooms.delete(message.call);
        return;
      case "call-answer":
        this.#answers.get(message.call)?.(message);
        return;
      case "call-done":
        this.#done.get(message.call)?.(message);
        this.#done.delete(message.call);
    }
  }

  /** Memory for the inputs of a new call. Rejects with `Called` when there is none. */
  room(byteLength: number): Promise<{ readonly call: number; readonly place: TensorPlace | undefined }> {
    const call = this.#next++;
    if (byteLength === 0) return Promise.resolve({ call, place: undefined });
    this.#post({ type: "call-room", call, byteLength });
    return new Promise((resolve, reject) => {
      this.#rooms.set(call, {
        place: (place, error) => (error === undefined ? resolve({ call, place }) : reject(error)),
      });
    });
  }

  infer(call: number, inference: Inference): InferenceCall {
    const ready: CallAnswerRequest[] = [];
    let wake: (() => void) | undefined;
    let over = false;
    this.#answers.set(call, (answer) => {
      ready.push(answer);
      if (answer.final) this.#answers.delete(call);
      wake?.();
    });
    this.#post({ type: "call-infer", call, ...inference });
    return {
      next: async () => {
        if (over) return undefined;
        if (ready.length === 0)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        const answer = ready.shift();
        over = answer?.final === true;
        if (answer?.error !== undefined) throw new Called(answer.error);
        return answer;
      },
      release: (answer) => this.#post({ type: "call-release", call, answer }),
      cancel: () => {
        if (this.#answers.has(call)) this.#post({ type: "call-cancel", call });
      },
    };
  }

  async manage(manage: Omit<CallManageReply, "type" | "call">): Promise<boolean | undefined> {
    const { ready } = await this.#ask({ type: "call-manage", call: this.#next++, ...manage });
    return ready;
  }

  /** The value after it; undefined for a histogram. */
  async metric(metric: Omit<MetricReply, "type" | "call">): Promise<number | undefined> {
    const { value } = await this.#ask({ type: "metric", call: this.#next++, ...metric });
    return value;
  }

  log(level: "ERROR" | "WARNING" | "INFO" | "VERBOSE", message: string): void {
    this.#post({ type: "log", level, message });
  }

  #ask(message: CallManageReply | MetricReply): Promise<CallDoneRequest> {
    this.#post(message);
    return new Promise((resolve, reject) => {
      this.#done.set(message.call, (done) =>
        done.error === undefined ? resolve(done) : reject(new Called(done.error)),
      );
    });
  }

  #post(message: CallReply): void {
    if (this.#send === undefined) this.#early.push(message);
    else this.#send(message);
  }
}
