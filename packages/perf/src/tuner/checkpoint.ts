import { createHash } from "node:crypto";
import { NereidError } from "@nereid/errors";
import type { TunedModel } from "./tuned-model.ts";
import type { TuningCheckpoint, TuningMeasurement, TuningSpec } from "./tuning-types.ts";

/** Text that is the same when measurements of one tuning hold for another: the same model, configuration and way to measure. Pure. */
export function checkpointKey(spec: TuningSpec, model: TunedModel): string {
  const { load, protocol, goodWithinMs, measureSeconds, shapes, version } = spec;
  const source = load.kind === "recorded" ? load.source : null;
  const same = {
    model: model.name,
    config: model.config,
    kind: load.kind,
    source,
    protocol,
    goodWithinMs,
    measureSeconds,
    shapes,
    version,
  };
  return createHash("sha256").update(JSON.stringify(same)).digest("hex").slice(0, 32);
}

/** Reads a checkpoint that a tuning has written. INVALID_ARGUMENT with the fix for what is none. Pure. */
export function readCheckpoint(value: unknown, where = "the checkpoint"): TuningCheckpoint {
  const wrong = (problem: string) =>
    new NereidError("INVALID_ARGUMENT", `${where} ${problem}`, {
      fix: "remove it, or name another directory for checkpoints",
    });
  if (!isObject(value)) throw wrong("is no checkpoint of a tuning");
  if (value["version"] !== 1) throw wrong(`is of version ${String(value["version"])}; this program reads version 1`);
  const { measured, skipped, probes } = value;
  const isWhole =
    typeof value["model"] === "string" &&
    typeof value["key"] === "string" &&
    typeof value["seconds"] === "number" &&
    Array.isArray(measured) &&
    Array.isArray(skipped) &&
    Array.isArray(probes) &&
    measured.every(isMeasured) &&
    skipped.every((one: unknown) => isObject(one) && typeof one["id"] === "string" && isObject(one["skip"])) &&
    probes.every((one: unknown) => isObject(one) && Array.isArray(one["executions"]) && isNumber(one["p50Us"]));
  if (!isWhole) throw wrong("is damaged");
  // Every field that is computed with was looked at above.
  const checkpoint = value as unknown as TuningCheckpoint;
  // Written before points could be measured more than once.
  const once = (one: TuningMeasurement): TuningMeasurement => ({ ...one, times: isNumber(one.times) ? one.times : 1 });
  return {
    ...checkpoint,
    measured: checkpoint.measured.map((one) => ({ ...one, measurement: once(one.measurement) })),
  };
}

function isMeasured(one: unknown): boolean {
  if (!isObject(one) || typeof one["id"] !== "string" || !isObject(one["config"])) return false;
  const { measurement, config } = one;
  return (
    isNumber(one["level"]) &&
    isNumber(one["requestBatch"]) &&
    isObject(config["setting"]) &&
    isObject(measurement) &&
    ["throughput", "goodput", "averageUs", "p50Us", "p90Us", "p95Us", "p99Us", "seconds"].every((name) =>
      isNumber(measurement[name]),
    ) &&
    Array.isArray(measurement["quantilesUs"]) &&
    measurement["quantilesUs"].every(isNumber)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
