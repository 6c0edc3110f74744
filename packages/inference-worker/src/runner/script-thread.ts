/** Entry of the thread of an instance that runs a JavaScript model. */
import { CallClient } from "./script/call-client.ts";
import { RequestsServer } from "./script/requests-server.ts";
import { ScriptModel } from "./script/script-model.ts";
import { SegmentMap } from "./segment-map.ts";
import { serveInstance } from "./serve-instance.ts";

await serveInstance(async (start) => {
  const calls = new CallClient();
  const segments = new SegmentMap();
  const model = await ScriptModel.load(start, { calls, bufferOf: (id) => segments.bufferOf(id) });
  return {
    signature: model.signature,
    lingers: true,
    open(send) {
      calls.attach(send);
      const server = new RequestsServer(model, send, { segments, calls });
      return (request) => server.receive(request);
    },
    close: () => model.finalize(),
  };
});
