import type { IncomingMessage, ServerResponse } from "node:http";
import { sendBuffer } from "../http/http-error.ts";

/** The metrics port: `/metrics` as Prometheus text. By Triton's contract other paths answer 200 with nothing in it. */
export function handleMetrics(render: () => string): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const headers = { "Content-Type": "text/plain; charset=utf-8" };
    if (request.method !== "GET")
      return sendBuffer(response, Buffer.from("Method Not Allowed"), { status: 405, headers });
    const path = (request.url ?? "/").split("?")[0];
    const known = path === "/metrics" || path === "/metrics/";
    sendBuffer(response, Buffer.from(known ? render() : ""), { status: 200, headers });
  };
}
