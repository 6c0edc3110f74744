/** Entry of the thread of an instance that runs a JavaScript model. */
import { RequestsServer } from "./script/requests-server.ts";
import { ScriptModel } from "./script/script-model.ts";
import { serveInstance } from "./serve-instance.ts";

await serveInstance(async (start) => {
  const model = await ScriptModel.load(start);
  return {
    signature: model.signature,
    lingers: true,
    open(send) {
      const server = new RequestsServer(model, send);
      return (request) => server.receive(request);
    },
    close: () => model.finalize(),
  };
});
