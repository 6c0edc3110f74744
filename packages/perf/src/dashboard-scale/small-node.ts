import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus } from "node:os";
import { NereidError } from "@nereid/errors";
import { type SecondBucket, SecondBuckets } from "@nereid/telemetry";
import { SmallModel } from "./small-model.ts";

const TICK_MS = 100;
const SLOW_READER_BYTES = 1 << 20;
const EXTENSIONS = ["model_repository", "model_configuration", "statistics"];

export interface SmallNodeOptions {
  readonly name: string;
  readonly models: readonly string[];
}

/**
 * Not the product: an identity server for the measurement of the dashboard. It has hundreds of models in one small process and speaks as
 * much of V2 and of the management API as the dashboard's pages ask for. What it tells is true: its counters count requests that were
 * sent to it, its times were taken, its buckets are made by the product's own telemetry.
 */
export class SmallNode {
  readonly #options: SmallNodeOptions;
  readonly #buckets: SecondBuckets;
  readonly #models: ReadonlyMap<string, SmallModel>;
  readonly #server: Server;
  readonly #timer: NodeJS.Timeout;
  readonly #startedAtMs = Date.now();
  #draining = false;
  #processor = process.cpuUsage();
  #processorAt = performance.now();
  #lagMs = 0;
  #dueAt = performance.now() + TICK_MS;

  private constructor(options: SmallNodeOptions) {
    this.#options = options;
    this.#buckets = new SecondBuckets({ readNode: () => this.#reading() });
    this.#models = new Map(options.models.map((name) => [name, new SmallModel(name, this.#buckets)]));
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((thrown: unknown) => {
        const error = NereidError.from(thrown);
        sendJson(response, { error: error.message }, error.code === "NOT_FOUND" ? 404 : 400);
      });
    });
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Listens on a free port of this machine. */
  static async start(options: SmallNodeOptions): Promise<SmallNode> {
    const node = new SmallNode(options);
    await new Promise<void>((resolve, reject) => {
      node.#server.once("error", reject);
      node.#server.listen(0, "127.0.0.1", resolve);
    });
    return node;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // a TCP server's address, never a pipe's name
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const infer = /^\/v2\/models\/([^/]+)\/infer$/.exec(url.pathname);
    if (infer !== null) {
      const arrived = process.hrtime.bigint();
      const body = await readBody(request);
      const answer = await this.#model(infer[1]).infer(body, arrived);
      response.writeHead(200, { "content-type": "application/json", "content-length": answer.byteLength });
      response.end(answer);
      return;
    }
    if (url.pathname === "/nereid/v1/buckets") return this.#streamBuckets(url, response);
    if (url.pathname === "/nereid/v1/events") {
      if (request.headers.accept === "application/json") return sendJson(response, []);
      return streamNothing(response);
    }
    if (url.pathname === "/nereid/v1/server/draining") {
      this.#draining = JSON.parse((await readBody(request)).toString()).draining === true;
      return sendJson(response, this.#status());
    }
    if (url.pathname.startsWith("/v2/health/")) {
      const ready = url.pathname.endsWith("/live") || !this.#draining;
      response.writeHead(ready ? 200 : 400, { "content-length": 0 }).end();
      return;
    }
    sendJson(response, this.#tell(url));
  }

  #tell({ pathname }: URL): unknown {
    const ready = /^\/v2\/models\/([^/]+)\/ready$/.exec(pathname);
    if (ready !== null) return this.#model(ready[1]).status();
    const metadata = /^\/v2\/models\/([^/]+)$/.exec(pathname);
    if (metadata !== null) return this.#model(metadata[1]).metadata();
    const control = /^\/v2\/repository\/models\/([^/]+)\/(load|unload)$/.exec(pathname);
    if (control !== null) {
      this.#model(control[1]).setLoaded(control[2] === "load");
      return {};
    }
    const facts = /^\/nereid\/v1\/models\/([^/]+)(\/batching)?$/.exec(pathname);
    if (facts !== null) {
      const model = this.#model(facts[1]);
      return facts[2] === undefined ? model.status() : model.batching();
    }
    switch (pathname) {
      case "/v2":
        return { name: this.#options.name, version: "small node", extensions: EXTENSIONS };
      case "/nereid/v1/server":
        return this.#status();
      case "/nereid/v1/models":
        return [...this.#models.values()].map((model) => model.status());
      // It has no processes that could end, and keeps neither lines nor single requests.
      case "/nereid/v1/runner-events":
        return [];
      case "/nereid/v1/requests":
        return { records: [] };
      case "/nereid/v1/logs":
        return { lines: [], next: 0, gap: false };
      default:
        throw new NereidError("NOT_FOUND", `a small node has no ${pathname}`);
    }
  }

  #model(quoted = ""): SmallModel {
    const name = decodeURIComponent(quoted);
    const model = this.#models.get(name);
    if (model === undefined) throw new NereidError("NOT_FOUND", `Request for unknown model: '${name}' is not found`);
    return model;
  }

  #status() {
    return {
      name: this.#options.name,
      version: "small node",
      ready: !this.#draining,
      controlMode: "explicit",
      repositories: ["(none: a small node of the measurement)"],
      startedAtMs: this.#startedAtMs,
      pid: process.pid,
      rssBytes: process.memoryUsage.rss(),
      cores: cpus().length,
      httpPort: this.port,
      grpcPort: 0,
      metricsPort: 0,
      draining: this.#draining,
    };
  }

  #tick(): void {
    const now = performance.now();
    this.#lagMs = Math.max(this.#lagMs, now - this.#dueAt);
    this.#dueAt = now + TICK_MS;
    this.#buckets.tick(Date.now());
  }

  /** Its own process only: the share of all processors that it used, its memory and its lag since the last second. */
  #reading() {
    const { user, system } = process.cpuUsage(this.#processor);
    const now = performance.now();
    const share = (user + system) / 1000 / Math.max(1, now - this.#processorAt) / cpus().length;
    const eventLoopLagMs = this.#lagMs;
    this.#processor = process.cpuUsage();
    this.#processorAt = now;
    this.#lagMs = 0;
    return { cpu: Math.min(1, share), rssBytes: process.memoryUsage.rss(), eventLoopLagMs };
  }

  #streamBuckets(url: URL, response: ServerResponse): void {
    const after = url.searchParams.get("after");
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(":\n\n");
    const send = (bucket: SecondBucket) => {
      response.write(`id: ${bucket.t}\ndata: ${JSON.stringify(bucket)}\n\n`);
      if (response.writableLength > SLOW_READER_BYTES) response.destroy();
    };
    for (const bucket of this.#buckets.after(after === null ? undefined : Number(after))) send(bucket);
    response.once("close", this.#buckets.subscribe(send));
  }
}

/** Nothing ever happens to its models by itself, so the stream of events has its head only. */
function streamNothing(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write(":\n\n");
  const alive = setInterval(() => response.write(":\n\n"), 15_000);
  response.once("close", () => clearInterval(alive));
}

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  if (response.headersSent) return;
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, { "content-type": "application/json", "content-length": body.byteLength }).end(body);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
