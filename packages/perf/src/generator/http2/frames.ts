/** Bytes of a frame's header (RFC 9113, 4.1). */
export const FRAME_HEADER_BYTES = 9;
/** The longest frame that this side takes, and that the other takes until it says otherwise. */
export const DEFAULT_FRAME_BYTES = 16_384;

export const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const SETTING = { headerTableBytes: 1, enablePush: 2, mostStreams: 3, windowBytes: 4, frameBytes: 5 } as const;

/** The longest frames that a side may say it takes (RFC 9113, 6.5.2). */
export const MOST_FRAME_BYTES = 16_777_215;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** A frame in one piece; the payload is copied. Pure. */
export function encodeFrame({ type, flags, stream, payload }: Frame): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.byteLength);
  frame.writeUIntBE(payload.byteLength, 0, 3);
  frame[3] = type;
  frame[4] = flags;
  frame.writeUInt32BE(stream, 5);
  payload.copy(frame, FRAME_HEADER_BYTES);
  return frame;
}

export function settingsFrame(values: readonly (readonly [setting: number, value: number])[]): Frame {
  const payload = Buffer.concat(values.map(([id, value]) => Buffer.concat([Buffer.of(0, id), uint32(value)])));
  return { type: FRAME.settings, flags: 0, stream: 0, payload };
}

export function windowUpdateFrame(stream: number, bytes: number): Frame {
  return { type: FRAME.windowUpdate, flags: 0, stream, payload: uint32(bytes) };
}

export function resetFrame(stream: number, code: number): Frame {
  return { type: FRAME.reset, flags: 0, stream, payload: uint32(code) };
}

/** A number in a payload. Throws where the frame is too short for it. Pure. */
export function numberAt({ type, payload }: Frame, at: number): number {
  if (payload.byteLength < at + 4) throw new Error(`the server sent a broken frame of type ${type}`);
  return payload.readUInt32BE(at);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** The payload without its padding, and without the priority that a HEADERS frame may bring. Throws where it is all padding and more. Pure. */
export function contentOf({ type, flags, payload }: Frame): Buffer {
  const isPadded = (flags & FLAG.padded) !== 0;
  const padding = isPadded ? (payload[0] ?? 0) : 0;
  const priorityBytes = type === FRAME.headers && (flags & FLAG.priority) !== 0 ? 5 : 0;
  const from = (isPadded ? 1 : 0) + priorityBytes;
  const to = payload.byteLength - padding;
  if (from > to) throw new Error("the server sent a frame with more padding than it holds");
  return payload.subarray(from, to);
}

/** Cuts what comes on a connection into frames. */
export class FrameReader {
  readonly #onFrame: (frame: Frame) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  /** Throws on a frame that is longer than was offered, which is what another protocol looks like. */
  push(chunk: Buffer): void {
    const bytes = this.#rest.byteLength === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (bytes.byteLength - at >= FRAME_HEADER_BYTES) {
      const length = bytes.readUIntBE(at, 3);
      if (length > DEFAULT_FRAME_BYTES) throw new Error("the server does not speak HTTP/2, as gRPC needs");
      const end = at + FRAME_HEADER_BYTES + length;
      if (end > bytes.byteLength) break;
      this.#onFrame({
        type: bytes.readUInt8(at + 3),
        flags: bytes.readUInt8(at + 4),
        stream: bytes.readUInt32BE(at + 5) & 0x7fffffff,
        payload: bytes.subarray(at + FRAME_HEADER_BYTES, end),
      });
      at = end;
    }
    this.#rest = bytes.subarray(at);
  }
}
