import { describe, expect, it } from "vitest";
import { GivenFlags } from "./given-flags.ts";
import { parseGrpcOptions } from "./grpc-options.ts";

const parse = (args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) =>
  parseGrpcOptions(new GivenFlags(args), { env, httpAddress: "10.0.0.1" });

describe("parseGrpcOptions()", () => {
  it("has Triton's defaults, and the address of HTTP", () => {
    expect(parse([])).toEqual({
      allow: true,
      address: "10.0.0.1",
      port: 8001,
      tls: undefined,
      keepalive: {
        timeMs: 7_200_000,
        timeoutMs: 20_000,
        permitWithoutCalls: false,
        maxPingsWithoutData: 2,
        minRecvPingIntervalWithoutDataMs: 300_000,
        maxPingStrikes: 2,
      },
      maxConnectionAgeMs: undefined,
      maxConnectionAgeGraceMs: undefined,
      responseCompressionLevel: "none",
      forwardPattern: undefined,
      restrictedProtocols: [],
      maxMessageBytes: 2_147_483_647,
    });
  });

  it("reads every option", () => {
    const options = parse([
      "--allow-grpc=false",
      "--grpc-address=127.0.0.2",
      "--grpc-port=9001",
      "--grpc-use-ssl=true",
      "--grpc-server-cert=c.pem",
      "--grpc-server-key=k.pem",
      "--grpc-keepalive-time=1",
      "--grpc-keepalive-timeout=2",
      "--grpc-keepalive-permit-without-calls=1",
      "--grpc-http2-max-pings-without-data=0",
      "--grpc-http2-min-recv-ping-interval-without-data=3",
      "--grpc-http2-max-ping-strikes=0",
      "--grpc-max-connection-age=4",
      "--grpc-max-connection-age-grace=0",
      "--grpc-infer-response-compression-level=HIGH",
      "--grpc-header-forward-pattern=^x-",
      "--grpc-restricted-protocol=health,inference:k=v",
      "--grpc-max-message-bytes=5",
    ]);
    expect(options).toMatchObject({
      allow: false,
      address: "127.0.0.2",
      port: 9001,
      tls: { certificate: "c.pem", key: "k.pem", root: undefined },
      keepalive: {
        timeMs: 1,
        timeoutMs: 2,
        permitWithoutCalls: true,
        maxPingsWithoutData: 0,
        minRecvPingIntervalWithoutDataMs: 3,
        maxPingStrikes: 0,
      },
      maxConnectionAgeMs: 4,
      maxConnectionAgeGraceMs: 0,
      responseCompressionLevel: "high",
      restrictedProtocols: [{ categories: ["health", "inference"], header: "k", value: "v" }],
      maxMessageBytes: 5,
    });
    expect(options.forwardPattern?.test("X-User")).toBe(true);
  });

  it("takes the port from the environment unless an option names it", () => {
    expect(parse([], { NEREID_GRPC_PORT: "7001" }).port).toBe(7001);
    expect(parse(["--grpc-port=0"], { NEREID_GRPC_PORT: "7001" }).port).toBe(0);
    expect(() => parse([], { NEREID_GRPC_PORT: "70010" })).toThrow(/NEREID_GRPC_PORT must be a port number/);
  });

  it.each([
    ["--grpc-port=65536", "grpc-port"],
    ["--grpc-port=x", "grpc-port"],
    ["--grpc-keepalive-time=0", "grpc-keepalive-time"],
    ["--grpc-keepalive-timeout=-1", "grpc-keepalive-timeout"],
    ["--grpc-http2-max-ping-strikes=-1", "grpc-http2-max-ping-strikes"],
    ["--grpc-http2-max-pings-without-data=2147483648", "grpc-http2-max-pings-without-data"],
    ["--grpc-max-connection-age=0", "grpc-max-connection-age"],
    ["--grpc-infer-response-compression-level=max", "grpc-infer-response-compression-level"],
    ["--grpc-header-forward-pattern=(", "grpc-header-forward-pattern"],
    ["--grpc-restricted-protocol=nothing:k=v", "grpc-restricted-protocol"],
    ["--grpc-max-message-bytes=0", "grpc-max-message-bytes"],
    ["--grpc-use-ssl=true", "grpc-server-cert"],
  ])("refuses %s and names the option", (argument, option) => {
    expect(() => parse([argument])).toThrow(`Bad option: "--${option}"`);
  });
});
