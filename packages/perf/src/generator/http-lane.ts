import { connect, type Socket } from "node:net";
import { nowMs } from "./clock.ts";
import { errorText } from "./error-text.ts";
import { HttpAnswerParser } from "./http-answer-parser.ts";
import type { Answer, Lane } from "./lane.ts";
import type { AnswerReader } from "./text-answer.ts";

const ERROR_BYTES = 300;

interface Call {
  readonly bytes: Uint8Array;
  /** Whether its connection has carried an answer before. */
  reused: boolean;
  readonly resolve: (answer: Answer) => void;
  sentMs: number;
  firstMs: number;
  status: number;
  readonly text: AnswerReader | undefined;
  readonly errorBody: Buffer[];
}

export interface HttpLaneOptions {
  readonly host: string;
  readonly port: number;
  /** What reads the body of an answer; none for tensors, which are only counted. */
  readonly reader: (() => AnswerReader) | undefined;
}

/** One keep-alive HTTP/1.1 connection that sends ready-made requests: as little client as possible. */
export class HttpLoadLane implements Lane {
  readonly #options: HttpLaneOptions;
  #socket: Socket | undefined;
  #parser: HttpAnswerParser | undefined;
  #call: Call | undefined;
  #answered = false;

  constructor(options: HttpLaneOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    if (this.#socket !== undefined) return;
    const { host, port } = this.#options;
    const socket = connect({ host, port, noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve();
      });
    });
    this.#socket = socket;
    this.#parser = new HttpAnswerParser({
      onHead: (status) => {
        if (this.#call !== undefined) this.#call.status = status;
      },
      onBody: (chunk) => this.#body(chunk),
      onEnd: (reusable) => {
        this.#answered = true;
        if (!reusable) this.#drop(socket);
        this.#answer();
      },
    });
    socket.on("data", (chunk) => this.#data(socket, chunk));
    socket.on("error", (error) => this.#lost(socket, errorText(error)));
    socket.on("close", () => this.#lost(socket, "the server closed the connection"));
  }

  send(bytes: Uint8Array): Promise<Answer> {
    return new Promise((resolve) => {
      const text = this.#options.reader?.();
      const call: Call = { bytes, reused: false, resolve, sentMs: 0, firstMs: 0, status: 0, text, errorBody: [] };
      this.#call = call;
      this.#begin(call);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #begin(call: Call): void {
    if (this.#socket !== undefined) {
      call.reused = this.#answered;
      this.#write(call, this.#socket);
      return;
    }
    this.open().then(
      () => (this.#socket === undefined ? this.#answer("the connection broke") : this.#write(call, this.#socket)),
      (error: unknown) => this.#answer(errorText(error)),
    );
  }

  #write(call: Call, socket: Socket): void {
    socket.write(call.bytes);
    call.sentMs = nowMs();
  }

  #data(socket: Socket, chunk: Buffer): void {
    if (this.#call !== undefined && this.#call.firstMs === 0) this.#call.firstMs = nowMs();
    try {
      this.#parser?.push(chunk);
    } catch (error) {
      this.#lost(socket, errorText(error));
    }
  }

  #body(chunk: Buffer): void {
    const call = this.#call;
    if (call === undefined) return;
    if (call.status !== 200) {
      if (call.errorBody.length < 4) call.errorBody.push(Buffer.from(chunk.subarray(0, ERROR_BYTES)));
    } else call.text?.push(chunk, nowMs());
  }

  #lost(socket: Socket, why: string): void {
    // A connection that was given up has no say in the call of the next one.
    if (this.#socket !== socket) return;
    const whole = this.#parser?.endsWithConnection === true;
    const call = this.#call;
    this.#drop(socket);
    if (call === undefined) return;
    if (call.reused && call.firstMs === 0) {
      // The server closed an idle connection while the request was on its way: that is no failure of its own.
      call.reused = false;
      this.#begin(call);
    } else this.#answer(whole ? undefined : why);
  }

  #drop(socket: Socket): void {
    if (this.#socket === socket) {
      this.#socket = undefined;
      this.#answered = false;
    }
    socket.destroy();
  }

  #answer(failure?: string): void {
    const call = this.#call;
    if (call === undefined) return;
    this.#call = undefined;
    const endMs = nowMs();
    const { sentMs, firstMs, status, text, errorBody } = call;
    if (failure === undefined && status === 200) text?.finish(endMs);
    const said = Buffer.concat(errorBody).toString("utf8", 0, ERROR_BYTES);
    const error = failure ?? (status === 200 ? text?.error : `HTTP status ${status}: ${said}`);
    const responsesMs = text === undefined ? [endMs] : text.timesMs;
    call.resolve({
      sentMs: sentMs === 0 ? endMs : sentMs,
      firstMs: firstMs === 0 ? endMs : firstMs,
      endMs: error === undefined ? (responsesMs.at(-1) ?? endMs) : endMs,
      responsesMs,
      outputTokens: text?.outputTokens ?? 0,
      error,
    });
  }
}
