import { NereidError } from "@nereid/errors";
import type { LabTarget } from "@nereid/services/lab-task";
import { loadTestArgs } from "@nereid/services/load-test-args";
import type { LoadTestSpec } from "@nereid/services/load-test-spec";
import { parsePerfCommand } from "../perf/parse-perf-command.ts";
import type { PerfCommand } from "../perf/perf-command.ts";
import type { LoadTestFiles } from "./load-test-files.ts";

/** What `nereid perf` would be asked. UNSUPPORTED for gRPC to a server without it; INVALID_ARGUMENT for what cannot be meant. Pure. */
export function loadTestCommand(
  spec: LoadTestSpec,
  { httpUrl, grpcUrl, headers }: LabTarget,
  { inputFile, arrivalsFile }: Pick<LoadTestFiles, "inputFile" | "arrivalsFile">,
): PerfCommand {
  const address = spec.protocol === "grpc" ? grpcUrl : httpUrl;
  if (address === null) {
    throw new NereidError("UNSUPPORTED", "this server has no gRPC port, or does not say which one", {
      fix: "choose HTTP",
    });
  }
  return parsePerfCommand([
    ...loadTestArgs(spec, { address, inputFile, arrivalsFile }),
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
  ]);
}
