import type { Socket } from "node:net";

const HEADER = 4;
/** Bytes of a message's JSON, at most. */
export const MAX_FRAME = 64 << 20;

/** Writes one message: uint32 LE byte length, then that many bytes of UTF-8 JSON. */
export function writeFrame(socket: Socket, message: object): void {
  const json = JSON.stringify(message);
  const length = Buffer.byteLength(json);
  const frame = Buffer.allocUnsafe(HEADER + length);
  frame.writeUInt32LE(length, 0);
  frame.write(json, HEADER, "utf8");
  socket.write(frame);
}

/** Cuts a byte stream into messages. Feed it every chunk; it calls back once for each whole message. */
export class FrameReader {
  readonly #onMessage: (message: unknown) => void;
  #chunks: Buffer[] = [];
  #buffered = 0;
  /** Bytes of the message that has begun, its header included; 0 while its length is not known. */
  #wanted = 0;

  constructor(onMessage: (message: unknown) => void) {
    this.#onMessage = onMessage;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    // A long message comes in many pieces: they are joined once, when the last one is there.
    while (this.#buffered >= Math.max(HEADER, this.#wanted)) {
      const whole = this.#whole();
      const length = whole.readUInt32LE(0);
      if (length > MAX_FRAME) throw new RangeError(`runner protocol frame of ${length} bytes exceeds ${MAX_FRAME}`);
      this.#wanted = HEADER + length;
      if (whole.length < this.#wanted) return;
      this.#wanted = 0;
      const message: unknown = JSON.parse(whole.toString("utf8", HEADER, HEADER + length));
      const rest = whole.subarray(HEADER + length);
      this.#chunks = rest.length > 0 ? [rest] : [];
      this.#buffered = rest.length;
      this.#onMessage(message);
    }
  }

  #whole(): Buffer {
    const [only] = this.#chunks;
    if (this.#chunks.length === 1 && only !== undefined) return only;
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }
}
