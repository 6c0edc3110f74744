import type { TryTensor } from "@nereid/services";
import { shellQuote } from "../../lib/copy-call.ts";
import type { CopyRequest, RequestTexts } from "./copy-request.ts";
import { fromBase64 } from "./number-bytes.ts";
import { pythonCall } from "./python-call.ts";

/** Letters of base64 that are written into a text: shells take no argument beyond 128 KiB. */
const MOST_BASE64 = 60_000;

const isHalf = ({ datatype }: TryTensor) => datatype === "FP16" || datatype === "BF16";

/** Whether a request has inputs that JSON has no form for. Pure. */
export const hasHalf = (inputs: readonly TryTensor[]): boolean => inputs.some(isHalf);

/**
 * A request with FP16 or BF16 inputs for other hands: with the binary tensor data extension, numbers as bytes behind the JSON
 * (extension_binary_data). Null where there are too many of them for a text. Pure.
 */
export function copyHalf(copy: CopyRequest): RequestTexts | null {
  const { server, model, outputs, request } = copy;
  const { inputs, parameters, version, classification } = request;
  const blobs = inputs.flatMap((input) => ("base64" in input ? [input.base64] : []));
  if (blobs.reduce((sum, { length }) => sum + length, 0) > MOST_BASE64) return null;
  const json = JSON.stringify({
    parameters: { ...parameters, binary_data_output: true },
    inputs: inputs.map((input) => {
      const { name, shape, datatype } = input;
      if (!("base64" in input)) return { name, shape, datatype, data: input.text };
      return { name, shape, datatype, parameters: { binary_data_size: fromBase64(input.base64).length } };
    }),
    ...(classification > 0 && { outputs: outputs.map((name) => ({ name, parameters: { classification } })) }),
  });
  const length = new TextEncoder().encode(json).length;
  const versionPath = version === undefined ? "" : `/versions/${version}`;
  const url = `${server}/v2/models/${encodeURIComponent(model)}${versionPath}/infer`;
  const pieces = blobs.map((blob) => ` printf %s ${shellQuote(blob)} | base64 -d;`).join("");
  return {
    json,
    needsFile: false,
    curl: `{ printf %s ${shellQuote(json)};${pieces} } | curl --fail-with-body ${shellQuote(url)} \\
  -H 'content-type: application/octet-stream' \\
  -H 'inference-header-content-length: ${length}' \\
  --data-binary @- --output answer.bin
`,
    typescript: `const blobs = ${JSON.stringify(blobs)}.map((text) => Buffer.from(text, "base64"));
const response = await fetch(${JSON.stringify(url)}, {
  method: "POST",
  headers: { "content-type": "application/octet-stream", "inference-header-content-length": "${length}" },
  body: Buffer.concat([Buffer.from(${JSON.stringify(json)}), ...blobs]),
});
if (!response.ok) throw new Error(await response.text());
const bytes = Buffer.from(await response.arrayBuffer());
const head = Number(response.headers.get("inference-header-content-length") ?? bytes.length);
console.log(JSON.stringify(JSON.parse(bytes.toString("utf8", 0, head))));
console.log(bytes.subarray(head));
`,
    python: `import base64
${inputs.some(({ datatype }) => datatype === "BF16") ? "import ml_dtypes\n" : ""}${pythonCall({ copy, load: `inputs = [\n${inputs.map(pythonInput).join("")}]\n` })}`,
    cli: "# nereid infer sends JSON, which has no FP16 and BF16: copy the request for curl, TypeScript or Python\n",
  };
}

/** As tritonclient takes them, BF16 since its release of 26.06. */
const NUMPY: Readonly<Record<string, string>> = {
  BOOL: "np.bool_",
  UINT8: "np.uint8",
  UINT16: "np.uint16",
  UINT32: "np.uint32",
  UINT64: "np.uint64",
  INT8: "np.int8",
  INT16: "np.int16",
  INT32: "np.int32",
  INT64: "np.int64",
  FP16: "np.float16",
  FP32: "np.float32",
  FP64: "np.float64",
  BF16: "ml_dtypes.bfloat16",
};

function pythonInput(input: TryTensor): string {
  const { name, shape, datatype } = input;
  return `    (${JSON.stringify(name)}, ${JSON.stringify(shape)}, "${datatype}", ${pythonArray(input)}),\n`;
}

function pythonArray(input: TryTensor): string {
  if (!("base64" in input)) return `np.array(${JSON.stringify(input.text)}, dtype=np.object_)`;
  const bytes = `base64.b64decode("${input.base64}")`;
  return `np.frombuffer(${bytes}, dtype=${NUMPY[input.datatype]})`;
}
