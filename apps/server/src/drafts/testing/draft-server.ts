import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { LocalRepository } from "@nereid/model-repository";
import { BodyBudget } from "../../http/body-budget.ts";
import { sendError } from "../../http/http-error.ts";
import type { DraftDeps } from "../draft-deps.ts";
import { DraftService } from "../draft-service.ts";
import { createDraftHandler } from "../handle-drafts.ts";

export interface DraftServer {
  readonly url: string;
  readonly service: DraftService;
  close(): Promise<void>;
}

/** The drafts behind a real HTTP server; what they need of the rest can be replaced. */
export async function startDraftServer(root: string, deps: Partial<DraftDeps> = {}): Promise<DraftServer> {
  const service = new DraftService({
    repository: new LocalRepository([root]),
    clock: { wallMs: () => Date.now() },
    trial: async () => ({ outcome: "passed", reason: "", loadSeconds: 0.1, rssBytes: 1, inferences: [] }),
    load: async () => ({ warnings: [] }),
    log: { warn: () => undefined },
    gpus: [],
    cudaBuild: false,
    ...deps,
  });
  await service.start();
  const handle = createDraftHandler(service);
  const bodies = new BodyBudget(64 << 20);
  const server = createServer((request, response) => {
    if (request.url === "/rss") {
      response.end(String(process.memoryUsage.rss()));
      return;
    }
    const share = bodies.open();
    response.once("close", share.close);
    const url = new URL(request.url ?? "/", "http://localhost");
    handle(url, { request, response, share }).catch((error: unknown) =>
      sendError(response, error, { management: true }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    service,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await service.close();
    },
  };
}
