import { fileURLToPath } from "node:url";
import { NereidClient } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { configOverlay, parseModelConfig } from "@nereid/model-config";
import {
  type ExperimentCheckpoint,
  type ExperimentProgress,
  type ExperimentResult,
  type ExperimentSide,
  type ExperimentSpec,
  type ExperimentWindow,
  experimentWindow,
  judgeExperiment,
  windowOrder,
} from "@nereid/perf";
import { experimentSpec } from "@nereid/services/lab-specs";
import { type Json, type LabIo, type LabTask, toJson } from "@nereid/services/lab-task";
import { candidateTtlSeconds } from "../candidate-ttl.ts";
import { standBack } from "../stand-back.ts";
import { experimentVersion } from "./experiment-version.ts";
import type { LabTaskRunner } from "./lab-task-runner.ts";
import { measureWindow } from "./measure-window.ts";

/** Beside this program, where both were built. */
const GENERATOR = fileURLToPath(new URL("perf-generator.js", import.meta.url));
const SIDES = ["a", "b"] as const satisfies readonly ExperimentSide[];
/** Seconds that a candidate lives beyond two windows without being asked for again; each window of its side asks. */
const SPARE_SECONDS = 300;

/**
 * Compares a change of a configuration with the configuration as it is: both on runners of their own, windows taking turns. Goes on from
 * its checkpoint; what was made on the server is removed at its end, whatever the end.
 */
export const runExperiment: LabTaskRunner = async (task, io) => {
  standBack();
  const spec: ExperimentSpec = experimentSpec.parse(task.spec);
  const client = new NereidClient({ baseUrl: task.target.httpUrl, headers: task.target.headers });
  const before = readCheckpoint(task.checkpoint);
  const begin = await experimentVersion(client, { spec, before });
  const { version } = begin;
  // Names of this job alone: what else is called so is not its to remove.
  const stem = `${spec.model}_experiment_${task.id.slice(0, 8)}`;
  const names = { a: `${stem}_a`, b: `${stem}_b` };
  const windows = [...begin.windows];
  try {
    for (const { pair, side, place } of windowOrder(spec.pairs)) {
      if (windows.some((one) => one.pair === pair && one.side === side)) continue;
      if (io.signal.aborted) break;
      io.progress(toJson(progressOf(spec, windows, { place, side })));
      const { text } = side === "a" ? spec.baseline : spec.change;
      await addSide(client, { spec, name: names[side], text });
      const measured = await oneWindow({ task, io, spec, name: names[side], version }).catch((thrown: unknown) => {
        // What was measured so far is a result too.
        if (io.signal.aborted) return undefined;
        throw thrown;
      });
      if (measured === undefined) break;
      windows.push(experimentWindow(measured, { pair, side }, spec));
      io.checkpoint(toJson({ version, windows } satisfies ExperimentCheckpoint));
    }
    const result: ExperimentResult = { ...judgeExperiment(spec, windows), windows };
    return toJson(result);
  } finally {
    for (const side of SIDES) await client.removeCandidate(names[side]).catch(() => undefined);
  }
};

interface Running {
  readonly task: LabTask;
  readonly io: LabIo;
  readonly spec: ExperimentSpec;
  readonly name: string;
  readonly version: string;
}

function oneWindow({ task, io, spec, name, version }: Running) {
  const { load, protocol, requestBatch, shapes } = spec;
  const url = new URL(protocol === "grpc" ? (task.target.grpcUrl ?? noGrpc()) : task.target.httpUrl);
  const headers = Object.entries(task.target.headers).flatMap(([header, value]) => ["-H", `${header}:${value}`]);
  const dims = Object.entries(shapes).flatMap(([input, shape]) => ["--shape", `${input}:${shape.join(",")}`]);
  const level =
    load.kind === "concurrency"
      ? ["--concurrency-range", String(load.level)]
      : ["--request-rate-range", String(load.level), "--request-distribution", "poisson"];
  return measureWindow({
    args: [
      "-m",
      name,
      "-x",
      version,
      "-i",
      protocol,
      "-u",
      url.host,
      "-b",
      String(requestBatch),
      ...level,
      ...dims,
      ...headers,
    ],
    warmUpMs: spec.warmUpSeconds * 1000,
    durationMs: spec.windowSeconds * 1000,
    generator: GENERATOR,
    signal: io.signal,
  });
}

interface Side {
  readonly spec: ExperimentSpec;
  readonly name: string;
  readonly text: string;
}

async function addSide(client: NereidClient, { spec, name, text }: Side): Promise<void> {
  const { config } = parseModelConfig(text);
  if (config === undefined) throw new NereidError("INVALID_ARGUMENT", "the configuration cannot be read");
  const { windowSeconds, warmUpSeconds } = spec;
  const ttlSeconds = candidateTtlSeconds(3 * (windowSeconds + warmUpSeconds), SPARE_SECONDS);
  await client.addCandidate(spec.model, { name, config: configOverlay(config), ttlSeconds, lowPriority: true });
}

function progressOf(
  { pairs }: ExperimentSpec,
  windows: readonly ExperimentWindow[],
  { place, side }: { readonly place: number; readonly side: ExperimentSide },
): ExperimentProgress {
  const which = side === "a" ? "as it is" : "changed";
  return { says: `Window ${place + 1} of ${2 * pairs}: ${which}`, share: place / (2 * pairs), windows };
}

function readCheckpoint(checkpoint: Json | null): ExperimentCheckpoint | undefined {
  if (checkpoint === null || typeof checkpoint !== "object" || !("windows" in checkpoint)) return undefined;
  // Written by this function's caller alone.
  return checkpoint as unknown as ExperimentCheckpoint;
}

function noGrpc(): never {
  throw new NereidError("UNSUPPORTED", "the server has no gRPC port", { fix: "choose HTTP" });
}
