import { describe, expect, it } from "vitest";
import { parseUpOptions } from "./up-options.ts";

const parse = (args: readonly string[], env: Record<string, string> = {}) => parseUpOptions(args, env, "/root");

describe("parseUpOptions()", () => {
  it("has Triton's ports, the demo repository and the state directory by default", () => {
    expect(parse([])).toMatchObject({
      httpPort: 8000,
      grpcPort: 8001,
      metricsPort: 8002,
      webPort: 3000,
      modelRepositories: ["/root/model_repo"],
      stateDirectory: "/root/state",
      passedOn: [],
      ownControlMode: false,
    });
  });

  it("takes both spellings and prefers the command line to the environment", () => {
    const options = parse(["--http-port=9000", "--web-port", "4000"], {
      NEREID_HTTP_PORT: "7000",
      NEREID_METRICS_PORT: "7002",
    });
    expect(options).toMatchObject({ httpPort: 9000, webPort: 4000, metricsPort: 7002 });
  });

  it("passes every other option on unchanged", () => {
    const options = parse([
      "--log-verbose",
      "1",
      "--load-model=simple",
      "--model-control-mode=explicit",
      "--http-port=9000",
    ]);
    expect(options.passedOn).toEqual(["--log-verbose", "1", "--load-model=simple", "--model-control-mode=explicit"]);
    expect(options.ownControlMode).toBe(true);
  });

  it("keeps several repositories", () => {
    expect(parse(["--model-repository=/a", "--model-repository=/b"]).modelRepositories).toEqual(["/a", "/b"]);
  });

  it("refuses TLS for the server that its own dashboard calls in plain", () => {
    expect(() => parseUpOptions(["--http-use-ssl=true"], {}, "/r")).toThrow("does not go with the dashboard");
    expect(parseUpOptions(["--http-use-ssl=false"], {}, "/r").passedOn).toEqual(["--http-use-ssl=false"]);
    expect(parseUpOptions(["--grpc-use-ssl=true"], {}, "/r").passedOn).toEqual(["--grpc-use-ssl=true"]);
  });

  it.each(["--http-port=", "--http-port=x", "--web-port=0", "--metrics-port=70000"])(
    "refuses %s and names the option",
    (argument) => {
      expect(() => parse([argument])).toThrow(argument.split("=")[0] ?? "");
    },
  );
});
