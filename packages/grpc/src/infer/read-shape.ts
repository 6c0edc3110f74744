import { malformed } from "../wire/malformed.ts";
import { LENGTH, type ProtoReader } from "../wire/proto-reader.ts";

/** No engine has more; a shape of a million dimensions would only make an endless error text. */
const MOST_DIMENSIONS = 1024;

/** Reads `shape` (packed or one by one) behind the dimensions that came before. */
export function readShape(reader: ProtoReader, shape: number[]): void {
  if (reader.wire !== LENGTH) {
    reader.expect(0, "shape");
    reader.varint();
    shape.push(reader.lastAsNumber());
  } else {
    const outer = reader.enter("shape");
    while (reader.pos < reader.end && shape.length <= MOST_DIMENSIONS) {
      reader.varint();
      shape.push(reader.lastAsNumber());
    }
    reader.leave(outer);
  }
  if (shape.length > MOST_DIMENSIONS) throw malformed(`a shape has more than ${MOST_DIMENSIONS} dimensions`);
}
