import { setTimeout as sleep } from "node:timers/promises";
import { NereidError } from "@nereid/errors";
import { type EncodedFrame, PREFIX_BYTES } from "@nereid/grpc";
import { type CallSetup, CallStream, throwIfAborted } from "./call-stream.ts";
import type { Connection } from "./connection.ts";

export interface UnaryCall extends CallSetup {
  readonly request: EncodedFrame;
}

const FIRST_PAUSE_MS = 100;

/**
 * One message there, one back. A call that the server has certainly not looked at (its connection was refused, or was being closed)
 * is tried again: once at once, and `retries` times with a growing pause.
 */
export async function callUnary(connection: Connection, call: UnaryCall, retries: number): Promise<Uint8Array> {
  const size = call.request.byteLength - PREFIX_BYTES;
  if (size > call.maxMessageBytes)
    throw new NereidError(
      "PAYLOAD_TOO_LARGE",
      `the request has ${size} bytes; at most ${call.maxMessageBytes} may be sent`,
    );
  let moved = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await exchange(connection, call);
    } catch (error) {
      const { details } = NereidError.from(error);
      if (details["unprocessed"] === true && !moved) {
        moved = true;
        attempt -= 1;
        continue;
      }
      if ((details["refused"] !== true && details["unprocessed"] !== true) || attempt >= retries) throw error;
      await sleep(FIRST_PAUSE_MS * 2 ** attempt, undefined, call.signal && { signal: call.signal }).catch(
        () => undefined,
      );
      throwIfAborted(call.signal);
    }
  }
}

function exchange(connection: Connection, call: UnaryCall): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let answer: Uint8Array | undefined;
    const opened = CallStream.open(connection, call, {
      onMessage: (bytes) => {
        answer ??= bytes;
      },
      onEnd: (error) => {
        if (error !== undefined) reject(error);
        else if (answer === undefined) reject(new NereidError("INTERNAL", "the server's answer has no message"));
        else resolve(answer);
      },
    });
    opened.then((stream) => {
      void stream.send(call.request);
      stream.end();
    }, reject);
  });
}
