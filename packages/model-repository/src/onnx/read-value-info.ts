import { elementTypeName } from "./element-types.ts";
import type { GraphTensor } from "./graph-types.ts";
import { malformed, type Reading, type Span, type WireReader } from "./wire-reader.ts";

const MOST_DIMS = 1024;

/** Kinds of TypeProto that are no tensor, by field number. */
const OTHER_TYPES: ReadonlyMap<number, string> = new Map([
  [4, "SEQUENCE"],
  [5, "MAP"],
  [7, "OPAQUE"],
  [8, "SPARSE_TENSOR"],
  [9, "OPTIONAL"],
]);

/** ValueInfoProto: name, element type and shape. */
export function* readValueInfo(reader: WireReader, span: Span): Reading<GraphTensor> {
  const tensor = { name: "", datatype: "UNDEFINED", dims: [] as (number | string)[] };
  yield* reader.fields(span, (field) => {
    if (field.wire !== 2) return undefined;
    if (field.number === 1) return readName(reader, field.span, tensor);
    return field.number === 2 ? readType(reader, field.span, tensor) : undefined;
  });
  return tensor;
}

function* readName(reader: WireReader, span: Span, tensor: { name: string }): Reading<void> {
  tensor.name = yield* reader.text(span);
}

/** TypeProto, then TypeProto.Tensor. */
function* readType(
  reader: WireReader,
  span: Span,
  tensor: { datatype: string; dims: (number | string)[] },
): Reading<void> {
  yield* reader.fields(span, (field) => {
    if (field.wire !== 2) return undefined;
    tensor.datatype = OTHER_TYPES.get(field.number) ?? tensor.datatype;
    if (field.number !== 1) return undefined;
    return reader.fields(field.span, (inner) => {
      if (inner.number === 1 && inner.wire === 0) tensor.datatype = elementTypeName(Number(inner.value));
      return inner.number === 2 && inner.wire === 2 ? readShape(reader, inner.span, tensor.dims) : undefined;
    });
  });
}

/** TensorShapeProto. */
function* readShape(reader: WireReader, span: Span, dims: (number | string)[]): Reading<void> {
  yield* reader.fields(span, (field) => {
    if (field.number !== 1 || field.wire !== 2) return undefined;
    if (dims.length >= MOST_DIMS) throw malformed(`a shape of more than ${MOST_DIMS} dimensions`, field.span.start);
    return readDimension(reader, field.span, dims);
  });
}

/** TensorShapeProto.Dimension: a number, a name, or neither. */
function* readDimension(reader: WireReader, span: Span, dims: (number | string)[]): Reading<void> {
  let dim: number | string = -1;
  yield* reader.fields(span, (field) => {
    if (field.number === 1 && field.wire === 0) {
      const value = BigInt.asIntN(64, field.value);
      dim = value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : -1;
    }
    if (field.number !== 2 || field.wire !== 2) return undefined;
    return (function* (): Reading<void> {
      const name = yield* reader.text(field.span);
      dim = name === "" ? -1 : name;
    })();
  });
  dims.push(dim);
}
