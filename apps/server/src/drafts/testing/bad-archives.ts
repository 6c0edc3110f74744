import { crc32 } from "node:zlib";

/** Bytes of a zip of empty files. */
export function emptyFilesZip(names: Iterable<string>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  let count = 0;
  let centralBytes = 0;
  for (const name of names) {
    const raw = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(""), 10);
    fields.writeUInt16LE(raw.length, 22);
    local.push(Buffer.from("PK\x03\x04", "latin1"), fields, raw);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.from("PK\x01\x02", "latin1"), Buffer.from([20, 0]), fields, tail, raw);
    offset += 30 + raw.length;
    centralBytes += 46 + raw.length;
    count += 1;
  }
  return Buffer.concat([...local, ...central, zip64End(count, centralBytes, offset)]);
}

/** The end of a zip with 64-bit numbers: more than 65535 entries need it. */
function zip64End(count: number, bytes: number, offset: number): Buffer {
  const record = Buffer.alloc(56);
  record.write("PK\x06\x06", 0, "latin1");
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.write("PK\x06\x07", 0, "latin1");
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22, 0xff);
  end.write("PK\x05\x06", 0, "latin1");
  end.fill(0, 4, 8);
  end.fill(0, 20);
  return Buffer.concat([record, locator, end]);
}

/** Names that leave the directory. */
export async function slipZip(): Promise<Buffer> {
  return emptyFilesZip(["ok", "../../evil"]);
}

export async function hugeZip(): Promise<Buffer> {
  return emptyFilesZip(
    (function* () {
      for (let index = 0; index < 1_000_000; index++) yield `f${index}`;
    })(),
  );
}

function tarHeader(name: string, size: number, type: string, linkname = ""): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write("0000644\0", 100);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  header.write("        ", 148);
  header.write(type, 156);
  header.write(linkname, 157);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

export async function linkTar(): Promise<Buffer> {
  return Buffer.concat([tarHeader("m/1/model.onnx", 0, "2", "/etc/passwd"), Buffer.alloc(1024)]);
}

/** A file of zeros that announces `times` its size. */
export async function zeroTar(bytes: number, times = 1): Promise<Buffer> {
  return Buffer.concat([tarHeader("m/1/model.onnx", bytes * times, "0"), Buffer.alloc(bytes), Buffer.alloc(1024)]);
}
