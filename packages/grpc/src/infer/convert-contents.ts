import { NereidError } from "@nereid/errors";
import { byteSizeOf, isDatatype, type Sliced } from "@nereid/protocol";
import { malformed } from "../wire/malformed.ts";
import { LENGTH, ProtoReader, VARINT } from "../wire/proto-reader.ts";
import { CONTENT_FIELDS, type ContentField, contentField } from "./content-fields.ts";

/** What the error texts name. */
export interface ContentsContext {
  readonly inputName: string;
  readonly modelName: string;
  readonly datatype: string;
}

/** Most elements handled between two yields. */
const SLICE_ELEMENTS = 32_768;
const PREFIX_BYTES = 4;
/** Width of a BOOL: one byte, of which any number but 0 makes a 1. */
const ONE_OR_ZERO = 0;
const EMPTY = Buffer.alloc(0);

interface Measured {
  count: number;
  /** Bytes of the elements of a BYTES list, without their prefixes. */
  byteLength: number;
}

/**
 * The little-endian bytes of an input's typed `contents` (grpc.md §4); BYTES elements get their length prefixes, narrow integers are
 * the low bytes. INVALID_ARGUMENT when a list is filled that is not the datatype's, or two are.
 */
export function* convertContents(views: readonly Uint8Array[], context: ContentsContext): Sliced<Uint8Array> {
  const measured = yield* measure(views);
  const { inputName, modelName, datatype } = context;
  const about = `unexpected explicit tensor data for input tensor '${inputName}' for model '${modelName}'`;
  let chosen: ContentField | undefined;
  for (const field of CONTENT_FIELDS) {
    if ((measured.get(field)?.count ?? 0) === 0) continue;
    if (chosen !== undefined) throw new NereidError("INVALID_ARGUMENT", `${about}, binary data was already supplied.`);
    const found = field.typeFor(datatype);
    if (found !== datatype) {
      const expected = isDatatype(datatype) ? datatype : "<invalid>";
      throw new NereidError("INVALID_ARGUMENT", `${about} of type '${found}', expected datatype '${expected}'`);
    }
    chosen = field;
  }
  const size = chosen && measured.get(chosen);
  if (chosen === undefined || size === undefined || !isDatatype(datatype)) return EMPTY;
  const elementSize = byteSizeOf(datatype);
  const length = chosen.wire === LENGTH ? size.byteLength + PREFIX_BYTES * size.count : size.count * elementSize;
  const target = Buffer.allocUnsafeSlow(length);
  yield* fill(target, views, { field: chosen, elementSize: datatype === "BOOL" ? ONE_OR_ZERO : elementSize });
  return target;
}

/** Counts the elements of every list. */
function* measure(views: readonly Uint8Array[]): Sliced<ReadonlyMap<ContentField, Measured>> {
  const measured = new Map<ContentField, Measured>();
  for (const view of views) {
    const reader = new ProtoReader(view, { mostFields: Number.POSITIVE_INFINITY });
    let handled = 0;
    for (let number = reader.next(); number !== 0; number = reader.next()) {
      const field = contentField(number);
      if (field === undefined) {
        reader.skip(number);
        continue;
      }
      const sum = measured.get(field) ?? { count: 0, byteLength: 0 };
      measured.set(field, sum);
      if (field.wire !== LENGTH && reader.wire === LENGTH) {
        const outer = reader.enter(field.name);
        sum.count += yield* countPacked(reader, field);
        reader.leave(outer);
      } else {
        sum.count += 1;
        sum.byteLength += stepOver(reader, field);
      }
      handled += 1;
      if (handled % SLICE_ELEMENTS === 0) yield;
    }
  }
  return measured;
}

function* countPacked(reader: ProtoReader, { wire, name }: ContentField): Sliced<number> {
  const { bytes, pos, end } = reader;
  if (wire !== VARINT) {
    const size = fixedSize(wire);
    if ((end - pos) % size !== 0) throw malformed(`it ends inside ${name}`);
    return (end - pos) / size;
  }
  let count = 0;
  for (let from = pos; from < end; from += SLICE_ELEMENTS) {
    const to = Math.min(end, from + SLICE_ELEMENTS);
    for (let at = from; at < to; at += 1) if ((bytes[at] ?? 0) < 0x80) count += 1;
    if (to < end) yield;
  }
  return count;
}

/** Goes over one element; returns its length if it has one. */
function stepOver(reader: ProtoReader, field: ContentField): number {
  reader.expect(field.wire, field.name);
  if (field.wire !== LENGTH) {
    reader.skip(field.number);
    return 0;
  }
  const length = reader.length(field.name);
  reader.pos += length;
  return length;
}

interface Filling {
  readonly field: ContentField;
  readonly elementSize: number;
}

function* fill(target: Buffer, views: readonly Uint8Array[], { field, elementSize }: Filling): Sliced<void> {
  let at = 0;
  let handled = 0;
  for (const view of views) {
    const reader = new ProtoReader(view, { mostFields: Number.POSITIVE_INFINITY });
    for (let number = reader.next(); number !== 0; number = reader.next()) {
      if (number !== field.number) reader.skip(number);
      else if (field.wire === LENGTH) at = copyElement(target, at, { reader, name: field.name });
      else if (reader.wire !== LENGTH) at = writeNumber(target, at, { reader, wire: field.wire, elementSize });
      else {
        const outer = reader.enter(field.name);
        if (field.wire !== VARINT) {
          reader.bytes.copy(target, at, reader.pos, reader.end);
          at += reader.end - reader.pos;
        }
        while (field.wire === VARINT && reader.pos < reader.end) {
          reader.varint();
          at = putVarint(target, at, { reader, elementSize });
          handled += 1;
          if (handled % SLICE_ELEMENTS === 0) yield;
        }
        reader.leave(outer);
      }
      handled += 1;
      if (handled % SLICE_ELEMENTS === 0) yield;
    }
  }
}

function copyElement(target: Buffer, at: number, { reader, name }: { reader: ProtoReader; name: string }): number {
  const length = reader.length(name);
  const content = target.writeUInt32LE(length, at);
  reader.bytes.copy(target, content, reader.pos, reader.pos + length);
  reader.pos += length;
  return content + length;
}

interface Place {
  readonly reader: ProtoReader;
  readonly elementSize: number;
}

function writeNumber(target: Buffer, at: number, { reader, wire, elementSize }: Place & { wire: number }): number {
  if (wire === VARINT) {
    reader.varint();
    return putVarint(target, at, { reader, elementSize });
  }
  reader.bytes.copy(target, at, reader.pos, reader.pos + elementSize);
  reader.pos += elementSize;
  return at + elementSize;
}

/** The low bytes of the varint that was read last. */
function putVarint(target: Buffer, at: number, { reader, elementSize }: Place): number {
  const { lo } = reader;
  switch (elementSize) {
    case ONE_OR_ZERO:
      target[at] = Number(lo !== 0 || reader.hi !== 0);
      return at + 1;
    case 1:
      target[at] = lo;
      return at + 1;
    case 2:
      target[at] = lo;
      target[at + 1] = lo >>> 8;
      return at + 2;
    case 4:
      return target.writeUInt32LE(lo, at);
    default:
      return target.writeUInt32LE(reader.hi, target.writeUInt32LE(lo, at));
  }
}

function fixedSize(wire: number): number {
  return wire === 1 ? 8 : 4;
}
