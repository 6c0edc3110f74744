/** Entry of the thread of an instance that runs an ONNX model. */
import type { BatchRequest } from "../runner-protocol/messages.ts";
import { BatchServer } from "./batch-server.ts";
import { OnnxModel } from "./onnx-model.ts";
import { serveInstance } from "./serve-instance.ts";

await serveInstance(async ({ file, session, index, instance }) => {
  const plain = session.executionProviders.every(({ name }) => name === "cpu");
  if (index === 0 && !plain) await OnnxModel.tellPlacement(file, session);
  const model = await OnnxModel.load(file, session, instance?.profile);
  return {
    signature: { inputs: model.inputs, outputs: model.outputs, execution: "batch" },
    open(send) {
      const server = new BatchServer(model, send);
      return (request) => server.receive(request as BatchRequest);
    },
    close: () => model.release(),
  };
});
