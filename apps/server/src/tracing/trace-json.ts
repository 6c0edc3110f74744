import { setImmediate as turn } from "node:timers/promises";
import { decodeTensorValues, isDatatype } from "@nereid/protocol";
import type { CopiedTensor, RecordedTrace } from "./recorded-trace.ts";

/** Elements that are turned into text before others get their turn. */
const SLICE = 1024;

/** The objects of one trace in Triton's trace file, separated by commas (http.md §12). */
export async function traceJson(trace: RecordedTrace): Promise<string> {
  const parts = [head(trace)];
  const { id } = trace.options;
  if (trace.moments.length > 0) {
    const timestamps = trace.moments.map(([name, ns]) => ({ name, ns }));
    parts.push(JSON.stringify({ id, timestamps }));
  }
  for (const tensor of trace.copied) {
    const data = await tensorText(tensor);
    const { activity, name, shape, datatype, truncated } = tensor;
    parts.push(
      JSON.stringify({
        id,
        activity,
        tensor: { name, data, shape: shape.join(","), dtype: datatype, ...(truncated && { truncated }) },
      }),
    );
  }
  for (const child of trace.children) parts.push(await traceJson(child));
  return parts.join(",");
}

function head({ options, failure }: RecordedTrace): string {
  const { subject, parent } = options;
  // Versions are 64-bit numbers, and a number in this format.
  const version = /^\d+$/.test(subject.version) ? subject.version : "-1";
  const rest = {
    ...(subject.requestId !== "" && { request_id: subject.requestId }),
    ...(parent !== undefined && { parent_id: parent.options.id }),
    ...(failure !== undefined && { error: failure }),
  };
  const more = JSON.stringify(rest).slice(1, -1);
  const start = `{"id":${options.id},"model_name":${JSON.stringify(subject.model)},"model_version":${version}`;
  return `${start}${more === "" ? "" : `,${more}`}}`;
}

/** Elements in row-major order, separated by commas; texts in quotation marks. */
async function tensorText({ datatype, bytes, truncated }: CopiedTensor): Promise<string> {
  if (!isDatatype(datatype)) return "";
  let values: ReturnType<typeof decodeTensorValues>;
  try {
    values = decodeTensorValues(datatype, bytes);
  } catch {
    // A BYTES tensor that was cut, most likely inside an element.
    return truncated ? "" : `${bytes.byteLength} bytes that are no ${datatype}`;
  }
  const decoder = new TextDecoder();
  const texts: string[] = [];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (value === undefined) break;
    if (typeof value === "object") texts.push(JSON.stringify(decoder.decode(value)));
    else texts.push(datatype === "FP32" && typeof value === "number" ? shortFloat(value) : String(value));
    if (at % SLICE === SLICE - 1) await turn();
  }
  return texts.join(",");
}

/** Nine digits are enough for any single-precision number. */
function shortFloat(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(7))) : String(value);
}
