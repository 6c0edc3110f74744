import type { TryRequest, TryTensor } from "@nereid/services";
import { shellQuote } from "../../lib/copy-call.ts";
import { fromBase64 } from "./number-bytes.ts";
import { pythonCall } from "./python-call.ts";
import { READ } from "./read-number.ts";

/** Values of a request that are written into the text; more go to a file beside it. */
export const MOST_INLINE = 500;
export const REQUEST_FILE = "request.json";

export interface CopyRequest {
  /** Address of the server's V2 port. */
  readonly server: string;
  readonly model: string;
  /** Names of the model's outputs, which are named where classes are asked for. */
  readonly outputs: readonly string[];
  readonly request: TryRequest;
}

export interface RequestTexts {
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
  readonly cli: string;
  /** The request as V2 JSON. */
  readonly json: string;
  /** Whether the texts want the JSON in a file beside them. */
  readonly needsFile: boolean;
}

/** The request in V2's JSON. Pure. */
export function requestJson({ inputs, parameters, classification }: TryRequest, outputs: readonly string[]): string {
  const tensors = inputs.map((input) => {
    const { name, shape, datatype } = input;
    return `{"name":${JSON.stringify(name)},"shape":${JSON.stringify(shape)},"datatype":"${datatype}","data":[${elements(input).join(",")}]}`;
  });
  const told = Object.keys(parameters).length === 0 ? "" : `"parameters":${JSON.stringify(parameters)},`;
  const asked =
    classification === 0
      ? ""
      : `,"outputs":${JSON.stringify(outputs.map((name) => ({ name, parameters: { classification } })))}`;
  return `{${told}"inputs":[${tensors.join(",")}]${asked}}`;
}

/** Elements as JSON texts; 64-bit ones keep all their digits. */
function elements(input: TryTensor): string[] {
  if (!("base64" in input)) return input.text.map((text) => JSON.stringify(text));
  const bytes = fromBase64(input.base64);
  const coding = READ[input.datatype];
  if (coding === undefined) return [];
  const view = new DataView(bytes.buffer);
  return Array.from({ length: Math.floor(bytes.length / coding.size) }, (_, at) => coding.read(view, at * coding.size));
}

/** The very request for other hands. Pure. */
export function copyRequest({ server, model, outputs, request }: CopyRequest): RequestTexts {
  const json = requestJson(request, outputs);
  const count = request.inputs.reduce((sum, input) => sum + input.shape.reduce((all, size) => all * size, 1), 0);
  const needsFile = count > MOST_INLINE;
  const versionPath = request.version === undefined ? "" : `/versions/${request.version}`;
  const url = `${server}/v2/models/${encodeURIComponent(model)}${versionPath}/infer`;
  const data = needsFile ? `@${REQUEST_FILE}` : json;
  const words = [shellQuote(model), `--file=${REQUEST_FILE}`, `--server=${shellQuote(server)}`];
  if (request.version !== undefined) words.push(`--version=${request.version}`);
  return {
    json,
    needsFile,
    curl: `curl --fail-with-body ${shellQuote(url)} \\
  -H 'content-type: application/json' \\
  --data-binary ${shellQuote(data)}
`,
    typescript: `${needsFile ? 'import { readFile } from "node:fs/promises";\n\n' : ""}const response = await fetch(${JSON.stringify(url)}, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: ${needsFile ? `await readFile("${REQUEST_FILE}")` : JSON.stringify(json)},
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.text());
`,
    python: pythonText({ server, model, outputs, request }, needsFile ? null : json),
    cli: needsFile
      ? `nereid infer ${words.join(" ")}\n`
      : `printf %s ${shellQuote(json)} > ${REQUEST_FILE}\nnereid infer ${words.join(" ")}\n`,
  };
}

function pythonText(copy: CopyRequest, json: string | null): string {
  const text = json === null ? `json.load(open("${REQUEST_FILE}"))` : `json.loads(${JSON.stringify(json)})`;
  return pythonCall({
    copy,
    load: `request = ${text}
inputs = [
    (one["name"], one["shape"], one["datatype"], np.array(one["data"], dtype=triton_to_np_dtype(one["datatype"])))
    for one in request["inputs"]
]
`,
  });
}
