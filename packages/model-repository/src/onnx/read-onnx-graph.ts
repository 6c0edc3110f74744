import { open } from "node:fs/promises";
import { basename } from "node:path";
import { NereidError } from "@nereid/errors";
import { explainFileError } from "../staging/explain-file-error.ts";
import type { GraphSummary, GraphTensor } from "./graph-types.ts";
import { readValueInfo } from "./read-value-info.ts";
import { type Field, malformed, type Reading, type Span, WireReader } from "./wire-reader.ts";

/** Names kept in memory for one model: far above what real graphs have. */
const MOST_NAMES = 1_000_000;
const MOST_EXTERNAL_FILES = 10_000;

/** What is collected while walking; sizes are bounded. */
interface Found {
  readonly inputs: GraphTensor[];
  readonly outputs: GraphTensor[];
  readonly initializers: Set<string>;
  readonly opset: Map<string, number>;
  readonly operators: Map<string, number>;
  readonly externalData: Set<string>;
  producer: string;
  producerVersion: string;
  hasGraph: boolean;
}

/**
 * Reads what an ONNX file says of itself: signature, operator sets, operators, files of external data. Weights are skipped, not
 * read, whatever their size. INVALID_ARGUMENT, with the byte, for a file that is no ONNX model, and for external data that lies
 * outside the model's directory.
 */
export async function readOnnxGraph(path: string): Promise<GraphSummary> {
  const handle = await open(path, "r").catch((error: unknown) => {
    throw explainFileError(error, `read ${basename(path)}`);
  });
  try {
    const { size } = await handle.stat();
    if (size === 0) throw malformed("the file is empty", 0);
    const reader = new WireReader(size);
    const found = nothing();
    await reader.run(handle, readModel(reader, found));
    if (!found.hasGraph) throw malformed("it has no graph", 0);
    return summarize(found);
  } catch (error) {
    throw error instanceof NereidError ? error : explainFileError(error, `read ${basename(path)}`);
  } finally {
    await handle.close();
  }
}

function nothing(): Found {
  return {
    inputs: [],
    outputs: [],
    initializers: new Set(),
    opset: new Map(),
    operators: new Map(),
    externalData: new Set(),
    producer: "",
    producerVersion: "",
    hasGraph: false,
  };
}

function summarize(found: Found): GraphSummary {
  return {
    inputs: found.inputs.filter(({ name }) => !found.initializers.has(name)),
    outputs: found.outputs,
    opset: Object.fromEntries(found.opset),
    producer: `${found.producer} ${found.producerVersion}`.trim(),
    externalData: [...found.externalData].sort(),
    operators: Object.fromEntries([...found.operators].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** ModelProto. */
function* readModel(reader: WireReader, found: Found): Reading<void> {
  yield* reader.fields(reader.root, (field) => {
    if (field.wire !== 2) return undefined;
    if (field.number === 2) return assign(reader, field.span, (text) => (found.producer = text));
    if (field.number === 3) return assign(reader, field.span, (text) => (found.producerVersion = text));
    if (field.number === 7) {
      found.hasGraph = true;
      return readGraph(reader, found, { span: field.span, top: true });
    }
    if (field.number === 8) return readOpset(reader, found, field.span);
    if (field.number === 25) return readFunction(reader, found, field.span);
    return undefined;
  });
}

function* assign(reader: WireReader, span: Span, set: (text: string) => void): Reading<void> {
  set(yield* reader.text(span));
}

/** OperatorSetIdProto. */
function* readOpset(reader: WireReader, found: Found, span: Span): Reading<void> {
  let domain = "";
  let version = 0n;
  yield* reader.fields(span, (field) => {
    if (field.number === 2 && field.wire === 0) version = field.value;
    return field.number === 1 && field.wire === 2
      ? assign(reader, field.span, (text) => {
          domain = text;
        })
      : undefined;
  });
  bounded(found.opset.size, span);
  // The default operator set has two names.
  found.opset.set(domain === "ai.onnx" ? "" : domain, Number(BigInt.asIntN(53, version)));
}

/** GraphProto. Only the top graph has a signature and counted operators; subgraphs are searched for external data. */
function* readGraph(reader: WireReader, found: Found, graph: { span: Span; top: boolean }): Reading<void> {
  const { span, top } = graph;
  yield* reader.fields(span, (field) => {
    if (field.wire !== 2) return undefined;
    switch (field.number) {
      case 1:
        return readNode(reader, found, { span: field.span, top });
      case 5:
        return readTensor(reader, found, { span: field.span, top });
      case 11:
        return top ? addTensor(reader, found.inputs, field) : undefined;
      case 12:
        return top ? addTensor(reader, found.outputs, field) : undefined;
      case 15:
        return readSparseTensor(reader, found, { span: field.span, top });
      default:
        return undefined;
    }
  });
}

function* addTensor(reader: WireReader, tensors: GraphTensor[], field: Field): Reading<void> {
  bounded(tensors.length, field.span);
  tensors.push(yield* readValueInfo(reader, field.span));
}

/** FunctionProto: nodes only. */
function* readFunction(reader: WireReader, found: Found, span: Span): Reading<void> {
  yield* reader.fields(span, (field) =>
    field.number === 7 && field.wire === 2 ? readNode(reader, found, { span: field.span, top: false }) : undefined,
  );
}

/** NodeProto. */
function* readNode(reader: WireReader, found: Found, node: { span: Span; top: boolean }): Reading<void> {
  let type = "";
  yield* reader.fields(node.span, (field) => {
    if (field.wire !== 2) return undefined;
    if (field.number === 4 && node.top)
      return assign(reader, field.span, (text) => {
        type = text;
      });
    return field.number === 5 ? readAttribute(reader, found, field.span) : undefined;
  });
  if (!node.top) return;
  bounded(found.operators.size, node.span);
  found.operators.set(type, (found.operators.get(type) ?? 0) + 1);
}

/** AttributeProto: tensors and graphs in it. */
function* readAttribute(reader: WireReader, found: Found, span: Span): Reading<void> {
  yield* reader.fields(span, (field) => {
    if (field.wire !== 2) return undefined;
    const inner = { span: field.span, top: false };
    if (field.number === 5 || field.number === 10) return readTensor(reader, found, inner);
    if (field.number === 6 || field.number === 11) return readGraph(reader, found, inner);
    return field.number === 22 || field.number === 23 ? readSparseTensor(reader, found, inner) : undefined;
  });
}

/** SparseTensorProto: values and indices. */
function* readSparseTensor(reader: WireReader, found: Found, tensor: { span: Span; top: boolean }): Reading<void> {
  yield* reader.fields(tensor.span, (field) => {
    if (field.wire !== 2 || (field.number !== 1 && field.number !== 2)) return undefined;
    return readTensor(reader, found, { span: field.span, top: tensor.top && field.number === 1 });
  });
}

/** TensorProto: name and place of external data. */
function* readTensor(reader: WireReader, found: Found, tensor: { span: Span; top: boolean }): Reading<void> {
  yield* reader.fields(tensor.span, (field) => {
    if (field.wire !== 2) return undefined;
    if (field.number === 8 && tensor.top) {
      return assign(reader, field.span, (name) => {
        bounded(found.initializers.size, field.span);
        found.initializers.add(name);
      });
    }
    return field.number === 13 ? readExternalData(reader, found, field.span) : undefined;
  });
}

/** StringStringEntryProto of TensorProto.external_data. */
function* readExternalData(reader: WireReader, found: Found, span: Span): Reading<void> {
  let key = "";
  let value = "";
  yield* reader.fields(span, (field) => {
    if (field.wire !== 2) return undefined;
    if (field.number === 1)
      return assign(reader, field.span, (text) => {
        key = text;
      });
    return field.number === 2
      ? assign(reader, field.span, (text) => {
          value = text;
        })
      : undefined;
  });
  if (key !== "location") return;
  found.externalData.add(checkLocation(value, span.start));
  if (found.externalData.size > MOST_EXTERNAL_FILES) throw malformed("too many files of external data", span.start);
}

/** Where weights lie, relative to the model. INVALID_ARGUMENT for a place outside the model's directory. */
function checkLocation(location: string, at: number): string {
  const parts = location.split("/").filter((part) => part !== "" && part !== ".");
  const outside = location.startsWith("/") || /^[A-Za-z]:/.test(location) || parts.includes("..");
  if (!outside && parts.length > 0 && !/[\\\0]/.test(location)) return parts.join("/");
  const fix = "save the model with its external data in a file beside it";
  throw new NereidError(
    "INVALID_ARGUMENT",
    `the model's external data ${JSON.stringify(location.slice(0, 200))} (at byte ${at}) lies outside the model's directory; ${fix}`,
    { fix, details: { byte: at, location: location.slice(0, 200) } },
  );
}

function bounded(count: number, span: Span): void {
  if (count >= MOST_NAMES) throw malformed(`more than ${MOST_NAMES} names`, span.start);
}
