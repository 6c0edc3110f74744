import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly data?: Uint8Array;
  /** Unix mode with the file type; a regular file where not given. */
  readonly mode?: number;
  readonly flags?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly deflate?: boolean;
}

/** Bytes of a zip archive; sizes and checksums can be made to lie. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, data = new Uint8Array(), mode = 0o100644, flags = 0x800, crc, size, deflate = false } of entries) {
    const raw = Buffer.from(name);
    const body = deflate ? deflateRawSync(data) : Buffer.from(data);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(deflate ? 8 : 0, 4);
    fields.writeUInt32LE((crc ?? crc32(data)) >>> 0, 10);
    fields.writeUInt32LE(body.length, 14);
    fields.writeUInt32LE(size ?? data.length, 18);
    fields.writeUInt16LE(raw.length, 22);
    parts.push(Buffer.from("PK\x03\x04", "latin1"), fields, raw, body);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.from("PK\x01\x02", "latin1"), Buffer.from([20, 3]), fields, tail, raw);
    offset += 30 + raw.length + body.length;
  }
  return Buffer.concat([...parts, ...central, zipEnd(entries.length, Buffer.concat(central).length, offset)]);
}

/** The record at the end of a zip archive. */
export function zipEnd(count: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(Math.min(count, 0xffff), 8);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
