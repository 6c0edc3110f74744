import { PrometheusWriter } from "@nereid/telemetry";
import { describe, expect, it } from "vitest";
import { ServerTraffic } from "./server-traffic.ts";

function page(traffic: ServerTraffic): string {
  const writer = new PrometheusWriter();
  traffic.render(writer);
  return writer.text();
}

describe("ServerTraffic", () => {
  it("counts connections, requests in flight and answers", () => {
    const traffic = new ServerTraffic();
    traffic.opened("http");
    traffic.opened("http");
    traffic.closed("http");
    traffic.began("http");
    traffic.began("http");
    traffic.ended("http", "modelInfer", 200);
    traffic.began("grpc");
    traffic.ended("grpc", "ModelInfer", "NOT_FOUND");
    const text = page(traffic);
    expect(text).toContain('nereid_open_connections{protocol="http"} 1\n');
    expect(text).toContain('nereid_requests_in_flight{protocol="http"} 1\n');
    expect(text).toContain('nereid_requests_in_flight{protocol="grpc"} 0\n');
    expect(text).toContain('nereid_http_requests_total{code="200",operation="modelInfer"} 1\n');
    expect(text).toContain('nereid_grpc_requests_total{code="NOT_FOUND",rpc="ModelInfer"} 1\n');
  });

  it("stays small whatever it is told", () => {
    const traffic = new ServerTraffic();
    for (let at = 0; at < 1000; at += 1) {
      traffic.began("http");
      traffic.ended("http", `operation-${at}`, 200);
      traffic.began("http");
      traffic.ended("http", "modelInfer", 1000 + at);
    }
    expect(page(traffic).split("\n").length).toBeLessThan(64 + 64 + 20);
    expect(page(traffic)).toContain('nereid_requests_in_flight{protocol="http"} 0\n');
  });
});
