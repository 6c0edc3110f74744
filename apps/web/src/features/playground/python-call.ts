import type { CopyRequest } from "./copy-request.ts";

/** Parameters that are arguments of tritonclient's call. */
const ARGUMENTS = ["timeout", "priority", "sequence_id", "sequence_start", "sequence_end"];

/** A call with tritonclient. `load` makes `inputs`: name, shape, datatype and flat array of each. Pure. */
export function pythonCall({ copy, load }: { readonly copy: CopyRequest; readonly load: string }): string {
  const { server, model, outputs, request } = copy;
  const { protocol, version, classification, parameters } = request;
  const https = server.startsWith("https:");
  const host = server.replace(/^https?:\/\//, "");
  const address = protocol === "grpc" ? host.replace(/:(\d+)$/, (_, port: string) => `:${Number(port) + 1}`) : host;
  const own = Object.entries(parameters).filter(([key]) => ARGUMENTS.includes(key));
  const others = Object.entries(parameters).filter(([key]) => !ARGUMENTS.includes(key));
  const more = {
    ...Object.fromEntries(own),
    ...(others.length > 0 && { parameters: Object.fromEntries(others) }),
  };
  const words = [
    JSON.stringify(model),
    "tensors",
    ...(version === undefined ? [] : [`model_version="${version}"`]),
    ...(classification === 0 ? [] : ["outputs=outputs"]),
    ...(Object.keys(more).length === 0 ? [] : [`**json.loads(${JSON.stringify(JSON.stringify(more))})`]),
  ];
  const ask =
    classification === 0
      ? ""
      : `outputs = [client_module.InferRequestedOutput(name, class_count=${classification}) for name in ${JSON.stringify(outputs)}]\n`;
  return `import json
import numpy as np
import tritonclient.${protocol} as client_module
from tritonclient.utils import triton_to_np_dtype

${load}client = client_module.InferenceServerClient(${JSON.stringify(address)}${https ? ", ssl=True" : ""})
tensors = []
for name, shape, datatype, array in inputs:
    tensor = client_module.InferInput(name, shape, datatype)
    tensor.set_data_from_numpy(array.reshape(shape))
    tensors.append(tensor)
${ask}answer = client.infer(${words.join(", ")})
for output in ${protocol === "grpc" ? "answer.get_response().outputs" : 'answer.get_response()["outputs"]'}:
    name = ${protocol === "grpc" ? "output.name" : 'output["name"]'}
    print(name, answer.as_numpy(name))
`;
}
