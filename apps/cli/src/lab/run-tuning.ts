import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { NereidClient } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { buildSpace, DEFAULT_SEARCH, nowMs, readCheckpoint, type TuningResult, type TuningSpec } from "@nereid/perf";
import { tuningSpec } from "@nereid/services/lab-specs";
import { type LabTask, toJson } from "@nereid/services/lab-task";
import { describeRecommended } from "../analyze/describe-recommended.ts";
import { liveWatch } from "../analyze/live-watch.ts";
import { freeProcessors, machineAllows } from "../analyze/machine-allows.ts";
import { CandidateMeasurer } from "../analyze/measure-candidate.ts";
import { nereidHost, removeLeftovers } from "../analyze/nereid-host.ts";
import { usualBudget } from "../analyze/plan-tuning.ts";
import { describeTuned } from "../analyze/profile-model.ts";
import { runTuning as tune } from "../analyze/run-tuning.ts";
import { pauseUnless } from "../perf/pause-unless.ts";
import { standBack } from "../stand-back.ts";
import type { LabTaskRunner } from "./lab-task-runner.ts";

/** A tuning as a job: `spec` is a `TuningSpec`, progress a `TuningProgress`, the checkpoint a `TuningCheckpoint`, the result a `TuningResult` with a line in `says`. */
export const runTuning: LabTaskRunner = async (task, io) => {
  standBack();
  const spec: TuningSpec = tuningSpec.parse(task.spec);
  const { target } = task;
  const { protocol, host } = new URL(target.httpUrl);
  if (!target.nereid)
    throw new NereidError("UNSUPPORTED", "a Triton server makes no candidates", {
      fix: "run nereid analyze profile where its models lie, with --model-repository",
    });
  if (protocol === "https:")
    throw new NereidError("UNSUPPORTED", "load is not made over TLS", { fix: "give the node's plain HTTP address" });
  const client = new NereidClient({ baseUrl: target.httpUrl, headers: target.headers });
  const model = await describeTuned(client, spec.model);
  const space = buildSpace(spec, model);
  const offsetsMs = await arrivalsOf(client, spec);
  await removeLeftovers(client, spec.model);
  const measurements = spec.budget.measurements ?? usualBudget(spec.mode, space.points.length);
  using measurer = new CandidateMeasurer({
    generator: fileURLToPath(new URL("perf-generator.js", import.meta.url)),
    client,
    perfArgs: perfArgs(spec, task, host),
    goodWithinMs: spec.goodWithinMs,
    offsetsMs,
    seed: spec.seed,
    metricsUrl: undefined,
  });
  const pause = (ms: number) =>
    ms === 0 ? new Promise<void>((resolve) => setImmediate(resolve)) : pauseUnless(io.signal, ms);
  const result = await tune(
    {
      spec: { ...spec, budget: { ...spec.budget, measurements } },
      space,
      search: DEFAULT_SEARCH,
      checkpoint: task.checkpoint === null ? null : readCheckpoint(task.checkpoint),
      offsetsMs,
    },
    {
      model,
      host: nereidHost({ client, model: spec.model, measureSeconds: spec.measureSeconds, lowPriority: true }),
      measurer,
      live: liveWatch(client, spec.model),
      machineAllows: (guard) => machineAllows(guard, pause),
      freeProcessors: () => freeProcessors(cpus().length, pause),
      nowMs,
      pause,
      stopAsked: () => io.signal.aborted,
      signal: io.signal,
      progress: (value) => io.progress(toJson(value)),
      checkpoint: (value) => io.checkpoint(toJson(value)),
    },
  );
  const recommended = result.recommended === null ? null : describeRecommended(result.recommended, model);
  return toJson({ says: resultLine(result), share: 1, ...result, recommended });
};

function resultLine({ recommended, note, measurements, space }: TuningResult): string {
  const [first] = recommended?.why ?? [];
  return `${measurements} of ${space} points measured. ${recommended === null ? (note ?? "") : `${recommended.config}: ${first ?? ""}`}`;
}

/** Fewer tell nothing of how they come. */
const FEWEST_ARRIVALS = 20;

async function arrivalsOf(client: NereidClient, { load, model }: TuningSpec): Promise<readonly number[]> {
  if (load.kind !== "recorded") return [];
  if (load.source.kind === "given") return load.source.offsetsMs;
  const { seconds } = load.source;
  const { arrivalsMs } = await client.arrivals(model, { seconds });
  if (arrivalsMs.length < FEWEST_ARRIVALS)
    throw new NereidError(
      "CONFLICT",
      `only ${arrivalsMs.length} requests came to '${model}' in the last ${seconds} seconds`,
      {
        fix: "send requests as your clients do, look further back, or tune for a rate",
      },
    );
  return arrivalsMs;
}

function perfArgs(spec: TuningSpec, { target }: LabTask, host: string): string[] {
  const grpc = target.grpcUrl === null ? undefined : new URL(target.grpcUrl).host;
  if (spec.protocol === "grpc" && grpc === undefined)
    throw new NereidError("UNSUPPORTED", "the server told no gRPC port", { fix: "tune over HTTP" });
  return [
    ...(spec.version === null ? [] : ["-x", spec.version]),
    ...["-i", spec.protocol, "-u", spec.protocol === "grpc" ? (grpc ?? host) : host],
    ...Object.entries(spec.shapes).flatMap(([input, shape]) => ["--shape", `${input}:${shape.join(",")}`]),
    ...Object.entries(target.headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
  ];
}
