import { join } from "node:path";
import type { UpOptions } from "./up-options.ts";

/** The server's command line. Unless the user chose otherwise, every model is loaded and a broken one does not end the start. */
export function serverArguments(options: UpOptions): readonly string[] {
  const startup = options.ownControlMode ? [] : ["--model-control-mode=explicit", "--load-model=*"];
  // Triton's own form of the time has no year; the log files here are kept.
  const logFormat = options.passedOn.some((argument) => argument.startsWith("--log-format"))
    ? []
    : ["--log-format=ISO8601"];
  const exitOnError = options.passedOn.some((argument) => argument.startsWith("--exit-on-error"))
    ? []
    : ["--exit-on-error=false"];
  return [
    ...options.modelRepositories.map((directory) => `--model-repository=${directory}`),
    `--http-port=${options.httpPort}`,
    `--metrics-port=${options.metricsPort}`,
    `--grpc-port=${options.grpcPort}`,
    `--state-dir=${join(options.stateDirectory, "server")}`,
    ...startup,
    ...logFormat,
    ...exitOnError,
    ...options.passedOn,
  ];
}

/** The key the dashboard needs to manage the server; undefined when the server has none. */
export function managementKey(
  options: UpOptions,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const argument = options.passedOn.find((candidate) => candidate.startsWith("--management-key="));
  return argument?.slice("--management-key=".length) ?? env["NEREID_MANAGEMENT_KEY"];
}
