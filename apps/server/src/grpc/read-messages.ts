import { NereidError } from "@nereid/errors";
import { type FramedMessage, FrameParser } from "@nereid/grpc";
import type { BodyBudget, BodyShare } from "../http/body-budget.ts";
import { type Compression, decompressMessage, tooManyBodies } from "./compression.ts";
import type { GrpcCall } from "./grpc-call.ts";

/** A message that came whole. Whoever takes it calls `release` when its bytes are no longer needed. */
export interface ReceivedMessage {
  readonly bytes: Uint8Array;
  release(): void;
}

/** Memory of somebody's own for one message. */
export interface MessageRoom {
  readonly bytes: Uint8Array;
  release(): void;
}

export interface MessageReading {
  readonly bodies: BodyBudget;
  readonly maxMessageBytes: number;
  readonly encoding: Compression | undefined;
  /** Offers memory for an uncompressed message that comes in several chunks, of which `head` is the beginning. */
  readonly place?: (length: number, head: Uint8Array) => MessageRoom | undefined;
  /** In the order of the stream; those behind one that returns a promise wait for it. Must neither throw nor reject. */
  readonly onMessage: (message: ReceivedMessage) => Promise<void> | undefined;
  /** After the last message. */
  readonly onEnd: () => void;
  /** Instead of the rest: the bytes are no gRPC messages, or too many. */
  readonly onError: (error: NereidError) => void;
}

const MOST_IN_A_ROW = 64;
const NOTHING = new Uint8Array(0);

/** Reads the messages of a call as they come. The memory of all calls together is bounded while they come and while they are held. */
export class MessageReader {
  readonly #call: GrpcCall;
  readonly #reading: MessageReading;
  readonly #parser: FrameParser;
  #share: BodyShare;
  #room: MessageRoom | undefined;
  /** Set while a message is being decompressed or taken in: those behind it wait. */
  #before: Promise<void> | undefined;
  #stopped = false;
  #holds = 0;
  /** Of the last chunk: what came behind a message after which reading stopped. */
  #rest: Uint8Array = NOTHING;
  #endWaits = false;
  /** Messages since others had their turn. */
  #inARow = 0;

  constructor(call: GrpcCall, reading: MessageReading) {
    this.#call = call;
    this.#reading = reading;
    this.#share = reading.bodies.open();
    this.#parser = new FrameParser({
      maxMessageBytes: reading.maxMessageBytes,
      onMessage: (message) => this.#framed(message),
      place: (length, head, compressed) => this.#place(length, compressed ? undefined : head),
      more: () => this.#holds === 0,
    });
    const { stream } = call;
    stream.on("data", (chunk: Buffer) => this.#take(chunk));
    stream.once("end", () => this.#end());
    stream.once("close", () => this.stop());
  }

  /** Whether a message has begun that is not complete. */
  get inside(): boolean {
    return this.#parser.inside;
  }

  /** Reads no further until the function that is returned is called. */
  hold(): () => void {
    const { stream } = this.#call;
    this.#holds += 1;
    stream.pause();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds -= 1;
      if (this.#holds === 0) this.#goOn();
    };
  }

  /** First what had come already, then the stream. */
  #goOn(): void {
    const rest = this.#rest;
    this.#rest = NOTHING;
    if (rest.byteLength > 0 && !this.#stopped) this.#parse(rest);
    if (this.#holds > 0) return;
    this.#call.stream.resume();
    if (this.#endWaits) this.#end();
  }

  /** Takes nothing any more and gives back what it holds. */
  stop(): void {
    this.#stopped = true;
    this.#rest = NOTHING;
    this.#share.close();
    this.#room?.release();
    this.#room = undefined;
  }

  #take(chunk: Buffer): void {
    if (this.#stopped) return;
    this.#call.activeMs = performance.now();
    if (!this.#share.add(chunk.byteLength)) {
      this.#fail(tooManyBodies());
      return;
    }
    this.#inARow = 0;
    this.#parse(chunk);
  }

  #parse(bytes: Uint8Array): void {
    try {
      const rest = this.#parser.push(bytes);
      if (!this.#stopped) this.#rest = rest;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** One chunk can hold ten thousand small messages: others get their turn in between. */
  #countMessage(): void {
    this.#inARow += 1;
    if (this.#inARow < MOST_IN_A_ROW) return;
    this.#inARow = 0;
    setImmediate(this.hold());
  }

  #place(length: number, head: Uint8Array | undefined): Uint8Array | undefined {
    if (head === undefined || this.#stopped) return undefined;
    this.#room = this.#reading.place?.(length, head);
    return this.#room?.bytes;
  }

  #framed({ bytes, compressed }: FramedMessage): void {
    const share = this.#share;
    const room = this.#room;
    this.#room = undefined;
    this.#share = this.#reading.bodies.open();
    const release = () => {
      share.close();
      room?.release();
    };
    if (this.#stopped) {
      release();
      return;
    }
    this.#countMessage();
    if (!compressed && this.#before === undefined) {
      const taken = this.#reading.onMessage({ bytes, release });
      if (taken !== undefined) this.#inTurn(() => taken);
      return;
    }
    const { encoding, maxMessageBytes } = this.#reading;
    const work = async () => {
      if (!compressed) return bytes;
      if (encoding === undefined)
        throw new NereidError("INTERNAL", "a message is compressed, but the header grpc-encoding names no compression");
      return decompressMessage(bytes, encoding, { maxMessageBytes, share });
    };
    this.#inTurn(async () => {
      try {
        const plain = await work();
        if (this.#stopped) release();
        else await this.#reading.onMessage({ bytes: plain, release });
      } catch (error) {
        release();
        this.#fail(error);
      }
    });
  }

  #end(): void {
    this.#endWaits = this.#rest.byteLength > 0;
    if (this.#endWaits) return;
    this.#call.requestEnded();
    const finish = () => {
      if (this.#stopped) return;
      if (this.#parser.inside) {
        this.#fail(new NereidError("INTERNAL", "the request ended inside a message"));
        return;
      }
      this.stop();
      this.#reading.onEnd();
    };
    if (this.#before === undefined) finish();
    else this.#inTurn(async () => finish());
  }

  #inTurn(work: () => Promise<void>): void {
    const goOn = this.hold();
    const turn: Promise<void> = (this.#before ?? Promise.resolve()).then(work).then(() => {
      if (this.#before === turn) this.#before = undefined;
      goOn();
    });
    this.#before = turn;
  }

  #fail(error: unknown): void {
    if (this.#stopped) return;
    this.stop();
    this.#reading.onError(NereidError.from(error));
  }
}
