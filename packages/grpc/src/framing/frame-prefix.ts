/** A flag byte and the length as four bytes, big-endian: what stands before each gRPC message. */
export const PREFIX_BYTES = 5;

/** Largest message either way unless something else is said: Triton's. */
export const DEFAULT_MAX_MESSAGE = 2 ** 31 - 1;

export function frameHeader(length: number, compressed = false): Buffer {
  const header = Buffer.allocUnsafe(PREFIX_BYTES);
  header[0] = Number(compressed);
  header.writeUInt32BE(length, 1);
  return header;
}
