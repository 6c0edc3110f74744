import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

export interface StallingServer {
  /** `host:port`. */
  readonly url: string;
  /** Requests for inference so far. */
  readonly inferences: () => number;
  close(): Promise<void>;
}

const STALL_MS = 1_000;
const METADATA = {
  name: "m",
  versions: ["1"],
  platform: "",
  inputs: [{ name: "IN", datatype: "FP32", shape: [4] }],
  outputs: [{ name: "OUT", datatype: "FP32", shape: [4] }],
};
const ANSWER = {
  model_name: "m",
  model_version: "1",
  outputs: [{ name: "OUT", datatype: "FP32", shape: [1], data: [1] }],
};

/**
 * A V2 server without statistics that answers at once, but for one second of every `everyMs`: what comes then waits for the second's
 * end. `refuse` says which inferences are answered with 503.
 */
export async function startStallingServer({
  everyMs,
  refuse = () => false,
}: {
  readonly everyMs: number;
  readonly refuse?: (number: number) => boolean;
}): Promise<StallingServer> {
  const startedMs = performance.now();
  let held: (() => void)[] = [];
  let inferences = 0;
  const isStalled = () => (performance.now() - startedMs) % everyMs >= everyMs - STALL_MS;
  const timer = setInterval(() => {
    if (isStalled()) return;
    const now = held;
    held = [];
    for (const answer of now) answer();
  }, 5);
  const json = (response: ServerResponse, body: unknown, status = 200) => {
    response.statusCode = status;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      if (request.url === "/v2/models/m/infer") {
        inferences += 1;
        const refused = refuse(inferences);
        const answer = () => (refused ? json(response, { error: "busy" }, 503) : json(response, ANSWER));
        if (isStalled()) held.push(answer);
        else answer();
      } else if (request.url === "/v2/models/m") json(response, METADATA);
      else if (request.url === "/v2/models/m/config") json(response, { name: "m", max_batch_size: 0 });
      else json(response, { error: "there is no such thing" }, 404);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    inferences: () => inferences,
    close: async () => {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
