import { dirname } from "node:path";
import { NereidError } from "@nereid/errors";
import { printModelConfig } from "@nereid/model-config";
import { LocalRepository } from "@nereid/model-repository";
import { type Datatype, decodeTensorValues, isDatatype, type OutputTensor } from "@nereid/protocol";
import { SecondBuckets } from "@nereid/telemetry";
import { answersOf } from "../models/infer-ticket.ts";
import { type LoaderContext, loadVersions } from "../models/load-versions.ts";
import type { VersionPlan } from "../models/model-plan.ts";
import { type PlanContext, planModel } from "../models/plan-model.ts";
import { Semaphore } from "../models/semaphore.ts";
import type { ServedVersion } from "../models/served-version.ts";
import { validateRequest } from "../request/validate-request.ts";
import { elementsOf, hasOpenDimension, OPEN_SIZES, trialRequest } from "./trial-tensors.ts";

export interface TrialLimits {
  readonly loadMs: number;
  readonly inferenceMs: number;
  /** Private memory of the throw-away runner. */
  readonly memoryBytes: number;
}

export interface TrialSubject {
  /** A directory of the model's own name, with versions below it: what would be published. */
  readonly modelDirectory: string;
  readonly name: string;
  readonly version: string;
}

export interface TrialOutput {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly finite: boolean;
}

export interface TrialInference {
  readonly input: "zeros" | "random";
  readonly ok: boolean;
  readonly milliseconds: number;
  readonly outputs: readonly TrialOutput[];
  readonly error: string | null;
}

export interface TrialReport {
  readonly outcome: "passed" | "failed" | "skipped";
  readonly reason: string;
  readonly loadSeconds: number | null;
  readonly rssBytes: number | null;
  readonly inferences: readonly TrialInference[];
  /** The configuration completed from the model, printed; null when it did not load. */
  readonly effective: string | null;
}

/** Most elements of a trial's input; larger inputs are not made up. */
const MOST_ELEMENTS = 16 << 20;

/**
 * Loads one version in a process of its own with limits of its own, runs one inference of zeros and one of random numbers, and
 * ends the process. Never throws for what the model does: the report says it.
 */
export async function trialLoad(
  subject: TrialSubject,
  context: { readonly plan: PlanContext; readonly loader: LoaderContext; readonly limits: TrialLimits },
): Promise<TrialReport> {
  const { clock } = context.loader.host;
  const startedNs = clock.nowNs();
  let served: ServedVersion | undefined;
  try {
    const loaded = await load(subject, context);
    served = loaded.served;
    const loadSeconds = (clock.nowNs() - startedNs) / 1e9;
    const inferences = await inferBoth(served, context.loader);
    const failed = inferences.find(({ ok }) => !ok);
    const rssBytes = served.measureMemory().peakBytes ?? null;
    return {
      outcome: failed === undefined ? "passed" : "failed",
      reason: failed === undefined ? "" : `an inference of ${failed.input} failed: ${failed.error ?? ""}`,
      loadSeconds,
      rssBytes,
      inferences,
      effective: printModelConfig(loaded.config),
    };
  } catch (error) {
    const reason = NereidError.from(error).message.trimEnd();
    return { outcome: "failed", reason, loadSeconds: null, rssBytes: null, inferences: [], effective: null };
  } finally {
    await served?.stop(0);
  }
}

async function load(
  { modelDirectory, name, version }: TrialSubject,
  { plan, loader, limits }: { plan: PlanContext; loader: LoaderContext; limits: TrialLimits },
) {
  const repository = new LocalRepository([dirname(modelDirectory)]);
  const location = await repository.find(name);
  if (location?.kind !== "unique") throw new NereidError("INTERNAL", `there is no directory '${name}' to try`);
  const memoryLimitBytes = limits.memoryBytes;
  // Engines built for a trial are for files that go away again; without a place they go with the process.
  const { engineDirectory: _kept, ...withoutEngines } = plan;
  const bounds = { ...withoutEngines, memoryLimitBytes, executionTimeoutMs: limits.inferenceMs };
  const whole = planModel(await repository.read(location), bounds, { versions: [version] });
  const versions = whole.versions.map(onlyOneInstance);
  const [loaded] = await loadVersions({ ...whole, versions }, versions, {
    ...loader,
    host: { ...loader.host, loadWithinMs: limits.loadMs },
    // What a trial does is no traffic of the model.
    buckets: new SecondBuckets(),
    slots: new Semaphore(1),
    onRunnerEvent: () => {},
  });
  if (loaded === undefined) throw new NereidError("INTERNAL", `version ${version} was not loaded`);
  return loaded;
}

function onlyOneInstance(plan: VersionPlan): VersionPlan {
  return { ...plan, instances: plan.instances.slice(0, 1) };
}

async function inferBoth(served: ServedVersion, { host }: LoaderContext): Promise<TrialInference[]> {
  const random = pseudoRandom(20_261_121);
  const attempt = async (kind: "zeros" | "random", open: number): Promise<TrialInference> => {
    const startNs = host.clock.nowNs();
    const outcome = await runOnce(served, { kind, open, random });
    return { input: kind, ...outcome, milliseconds: (host.clock.nowNs() - startNs) / 1e6 };
  };
  if (elementsOf(served.spec, 1) > MOST_ELEMENTS) return [];
  const sizes = hasOpenDimension(served.spec) ? OPEN_SIZES : [1];
  let zeros: TrialInference | undefined;
  for (const open of sizes) {
    if (elementsOf(served.spec, open) > MOST_ELEMENTS) break;
    const tried = await attempt("zeros", open);
    zeros = tried.ok ? tried : (zeros ?? tried);
    if (tried.ok) return [tried, await attempt("random", open)];
    if (!served.ready) break;
  }
  return zeros === undefined ? [] : [zeros];
}

type Outcome = Pick<TrialInference, "ok" | "outputs" | "error">;

async function runOnce(served: ServedVersion, input: Parameters<typeof trialRequest>[1]): Promise<Outcome> {
  try {
    const ticket = served.submit(validateRequest(served.spec, trialRequest(served.spec, input)));
    let outputs: readonly TrialOutput[] | undefined;
    for await (const answer of answersOf(ticket)) {
      // Of a decoupled model the first answer is as good as any.
      outputs ??= answer.response.outputs.map(describe);
      answer.release();
    }
    return { ok: true, outputs: outputs ?? [], error: null };
  } catch (error) {
    return { ok: false, outputs: [], error: NereidError.from(error).message };
  }
}

function describe({ name, datatype, shape, bytes }: OutputTensor): TrialOutput {
  return { name, datatype, shape, finite: !isDatatype(datatype) || allFinite(datatype, bytes) };
}

function allFinite(datatype: Datatype, bytes: Uint8Array): boolean {
  if (!["FP16", "BF16", "FP32", "FP64"].includes(datatype)) return true;
  const values = decodeTensorValues(datatype, bytes);
  return values instanceof Float32Array || values instanceof Float64Array ? values.every(Number.isFinite) : true;
}

/** Mulberry32: the same numbers at every trial, so that two trials of one model can be compared. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
