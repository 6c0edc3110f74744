import type { ServerResponse } from "node:http";
import { NereidError } from "@nereid/errors";
import { STALLED_AFTER_MS } from "./send-infer.ts";

const START = Buffer.from("data: ");
const END = Buffer.from("\n\n");

/**
 * Answers as server-sent events. The status is that of the first; a reader that takes nothing for a while is dropped, and who writes
 * waits for a slow one, so that answers do not pile up.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>> = {}) {
    this.#response = response;
    this.#headers = headers;
  }

  /** Sends one event; resolves when there is room for the next. CANCELLED when the reader is gone. */
  async send(json: Uint8Array, status = 200): Promise<void> {
    const response = this.#response;
    if (response.destroyed) throw gone();
    if (!response.headersSent) {
      response.writeHead(status, { "Content-Type": "text/event-stream; charset=utf-8", ...this.#headers });
    }
    if (response.write(Buffer.concat([START, json, END]))) return;
    await drained(response);
  }

  /** Ends the stream; without any event it is an empty one. */
  end(): void {
    const response = this.#response;
    if (response.destroyed) return;
    if (!response.headersSent) {
      response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8", ...this.#headers });
    }
    response.end();
  }
}

/** Only while somebody waits for the reader: a model may take its time between two answers. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      response.setTimeout(0);
      response.off("drain", onDrain);
      response.off("close", onClose);
    };
    const onDrain = () => {
      stop();
      resolve();
    };
    const onClose = () => {
      stop();
      reject(gone());
    };
    response.setTimeout(STALLED_AFTER_MS, () => response.destroy());
    response.once("drain", onDrain);
    response.once("close", onClose);
  });
}

function gone(): NereidError {
  return new NereidError("CANCELLED", "the client closed the connection");
}
