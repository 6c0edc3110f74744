import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { ByteReader, ByteWriter } from "./byte-coding.ts";

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** A point in bytes: `t` is the Unix second at which its step begins. */
export interface PackedPoint {
  readonly t: number;
  readonly bytes: Uint8Array;
}

export interface ChunkPlace {
  readonly start: number;
  readonly step: number;
}

/** Packs points, ascending, into the bytes of one row: gzip of (number of the step in the chunk, length, bytes) for each. */
export async function packChunk(
  points: Iterable<PackedPoint>,
  { start, step }: ChunkPlace,
): Promise<Uint8Array<ArrayBuffer>> {
  const out = new ByteWriter();
  for (const { t, bytes } of points) {
    out.number((t - start) / step);
    out.bytes(bytes);
  }
  return Uint8Array.from(await zip(out.take()));
}

/** The way back. Rejects when the bytes are damaged. */
export async function unpackChunk(data: Uint8Array, { start, step }: ChunkPlace): Promise<PackedPoint[]> {
  const bytes = await unzip(data);
  const from = new ByteReader(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  const points: PackedPoint[] = [];
  while (!from.done) {
    const t = start + from.number() * step;
    points.push({ t, bytes: from.bytes() });
  }
  return points;
}
