import { readFileSync } from "node:fs";
import { resolve, sep } from "node:path";
import { NereidError } from "@nereid/errors";
import type { ModelConfig } from "@nereid/model-config";
import { requestIdPrefix } from "@nereid/protocol";
import type { WarmUp } from "../models/runner-version.ts";
import type { InstanceChannel } from "../runners/instance-channel.ts";
import type { Clock } from "../time/clock.ts";
import { batchSizeSamples, batchSizesOf, type WarmUpBatchSizes } from "./batch-size-samples.ts";
import { compileSamples, type WarmUpSample } from "./compile-samples.ts";
import { runSample, type SampleTarget } from "./run-sample.ts";
import { type SampleRequest, sampleRequests } from "./sample-requests.ts";

export interface WarmUpOptions {
  readonly config: ModelConfig;
  /** Of the model; sample files lie in `warmup` below it. */
  readonly directory: string;
  /** What the server does for models that do not say it themselves. */
  readonly batchSizes: WarmUpBatchSizes;
  /** Of one execution; 0 = no limit. */
  readonly executionTimeoutMs: number;
  readonly clock: Clock;
  readonly log: (text: string) => void;
  /** Numbers in [0, 1). */
  readonly random?: () => number;
}

interface Prepared {
  readonly sample: WarmUpSample;
  readonly requests: readonly SampleRequest[];
  /** A sample of the configuration must succeed; zeros that the server made up need not suit the model. */
  readonly required: boolean;
}

/**
 * What brings new instances of a model to their pace: the samples of its configuration, then the batch sizes that were asked for.
 * Undefined where there is nothing to do. INVALID_ARGUMENT, with Triton's texts, for samples that cannot be made or fail.
 */
export function createWarmUp(options: WarmUpOptions): WarmUp | undefined {
  const { config } = options;
  const sizes = batchSizesOf(config, options.batchSizes);
  if (config.modelWarmup.length === 0 && sizes === "off") return undefined;
  return async ({ channels, slab, spec }) => {
    const samples = compileSamples(config.modelWarmup, spec, {
      readFile: (file) => readSample(options.directory, file),
      random: options.random ?? Math.random,
    });
    const own = samples.map((sample) => ({
      sample,
      requests: prepare(() => sampleRequests(spec, sample), sample),
      required: true,
    }));
    const zeros = batchSizeSamples(spec, sizes, samples).map((sample) => ({
      sample,
      requests: prepare(() => sampleRequests(spec, sample), sample),
      required: false,
    }));
    const active = channels.filter(({ index }) => spec.instances[index]?.passive !== true);
    const on = { slab, spec, clock: options.clock, timeoutMs: options.executionTimeoutMs };
    // All come to their end before one failure is told: an instance must be idle to be taken away.
    const ended = await Promise.allSettled(
      active.map((channel) => warmInstance({ ...on, channel }, [...own, ...zeros], options.log)),
    );
    for (const result of ended) if (result.status === "rejected") throw result.reason;
  };
}

async function warmInstance(
  target: SampleTarget & { readonly channel: InstanceChannel },
  prepared: readonly Prepared[],
  log: (text: string) => void,
): Promise<void> {
  for (const { sample, requests, required } of prepared) {
    for (let turn = 1; turn <= sample.count; turn++) {
      log(`instance ${target.channel.index} is running warmup sample '${sample.name}' for iteration ${turn}`);
      const errors = await attempt(target, requests);
      if (errors.length === 0) continue;
      const failure = failed(sample, errors);
      // Zeros may not suit the model; a runner that is gone or hangs suits nobody.
      if (required || errors.some(({ code }) => code === "UNAVAILABLE")) throw failure;
      log(failure.message);
    }
  }
}

async function attempt(target: SampleTarget, requests: readonly SampleRequest[]): Promise<readonly NereidError[]> {
  try {
    return await runSample(target, requests);
  } catch (error) {
    return [NereidError.from(error)];
  }
}

function prepare<T>(make: () => T, sample: WarmUpSample): T {
  try {
    return make();
  } catch (error) {
    throw failed(sample, [NereidError.from(error)]);
  }
}

function failed({ name }: WarmUpSample, errors: readonly NereidError[]): NereidError {
  // There is no request that its id could be told of.
  const noId = requestIdPrefix("");
  const texts = errors
    .map(({ message }) => `${message.startsWith(noId) ? message.slice(noId.length) : message};`)
    .join(" ");
  return new NereidError("INVALID_ARGUMENT", `failed to run warmup sample '${name}': ${texts}`);
}

function readSample(directory: string, file: string): Uint8Array {
  const root = resolve(directory, "warmup");
  const path = resolve(root, file);
  if (!path.startsWith(root + sep) || file.includes("\0")) {
    throw new NereidError("INVALID_ARGUMENT", `warmup file '${file}' must lie in the model's warmup directory`);
  }
  try {
    return readFileSync(path);
  } catch {
    throw new NereidError("INVALID_ARGUMENT", `failed to read warmup file 'warmup/${file}' of the model`);
  }
}
