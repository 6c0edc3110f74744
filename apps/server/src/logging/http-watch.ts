import type { IncomingMessage, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import type { InferAnswer } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";

/** What nginx writes for a client that left before it was answered. */
const CLIENT_GONE = 499;
const NS_PER_MS = 1e6;

/** Follows one exchange of the V2 port to its end: counts it, and writes its line where every request is logged. */
export class HttpWatch {
  /** The route; a closed set, unlike paths. */
  operation = "none";
  readonly #context: Pick<ServerContext, "traffic" | "accessLog">;
  readonly #request: IncomingMessage;
  readonly #startMs: number;
  readonly #peer: string | undefined;
  #model: string | undefined;
  #version: string | undefined;
  #requestId: string | undefined;
  #answer: InferAnswer["moments"] | undefined;

  constructor(
    context: Pick<ServerContext, "traffic" | "accessLog">,
    { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  ) {
    this.#context = context;
    this.#request = request;
    const logged = context.accessLog !== undefined;
    this.#startMs = logged ? performance.now() : 0;
    // Gone once the socket is closed.
    this.#peer = logged ? peerOf(request) : undefined;
    context.traffic.began("http");
    response.once("close", () => this.#end(response));
  }

  route(route: { readonly kind: string; readonly model?: string; readonly version?: string | undefined }): void {
    this.operation = route.kind;
    this.#model = route.model;
    this.#version = route.version;
  }

  /** The version that was chosen, and the request's own id. */
  inference(version: string, requestId: string): void {
    this.#version = version;
    this.#requestId = requestId;
  }

  answered({ moments }: InferAnswer): void {
    this.#answer = moments;
  }

  #end(response: ServerResponse): void {
    const { traffic, accessLog } = this.#context;
    const status = response.headersSent ? response.statusCode : CLIENT_GONE;
    traffic.ended("http", this.operation, status);
    if (accessLog === undefined) return;
    const { method = "", url = "" } = this.#request;
    const query = url.indexOf("?");
    accessLog.write({
      protocol: "http",
      operation: `${method} ${query === -1 ? url : url.slice(0, query)}`,
      peer: this.#peer,
      ...(this.#model !== undefined && { model: this.#model }),
      ...(this.#version !== undefined && { version: this.#version }),
      ...(this.#requestId !== undefined && this.#requestId !== "" && { requestId: this.#requestId }),
      status,
      durationMs: performance.now() - this.#startMs,
      ...(this.#answer !== undefined && {
        queueMs: (this.#answer.computeStartNs - this.#answer.queueStartNs) / NS_PER_MS,
        computeMs: (this.#answer.endNs - this.#answer.computeStartNs) / NS_PER_MS,
      }),
    });
  }
}

function peerOf({ socket }: IncomingMessage): string | undefined {
  return socket.remoteAddress === undefined ? undefined : `${socket.remoteAddress}:${socket.remotePort}`;
}
