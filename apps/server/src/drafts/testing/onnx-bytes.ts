/** A protobuf field: a number as varint, everything else length-delimited. */
export function field(number: number, value: number | string | Uint8Array): Buffer {
  if (typeof value === "number") return Buffer.concat([varint(number * 8), varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** Joins fields to a message. */
export function message(...fields: Uint8Array[]): Buffer {
  return Buffer.concat(fields);
}

export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** ValueInfoProto of an FP32 tensor. */
export function tensorInfo(name: string, dims: readonly number[]): Buffer {
  const shape = message(...dims.map((dim) => field(1, field(1, dim))));
  return message(field(1, name), field(2, field(1, message(field(1, 1), field(2, shape)))));
}

/** TensorProto whose data lies in a file. */
export function externalTensor(name: string, location: string): Buffer {
  return message(field(8, name), field(13, message(field(1, "location"), field(2, location))));
}

/** ModelProto around the fields of a graph. */
export function modelOf(...graph: Uint8Array[]): Buffer {
  return message(field(1, 8), field(2, "tests"), field(7, message(...graph)), field(8, field(2, 17)));
}
