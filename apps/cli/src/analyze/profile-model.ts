import { cpus } from "node:os";
import { NereidClient } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import {
  nowMs,
  type TunedModel,
  type TuningCheckpoint,
  type TuningJson,
  type TuningProgress,
  type TuningResult,
  tunedModel,
} from "@nereid/perf";
import type { AnalyzeCommand, ModelOrder } from "./analyze-command.ts";
import { describeRecommended } from "./describe-recommended.ts";
import { liveWatch } from "./live-watch.ts";
import { freeProcessors, machineAllows } from "./machine-allows.ts";
import { CandidateMeasurer } from "./measure-candidate.ts";
import { nereidHost, removeLeftovers } from "./nereid-host.ts";
import { perfArguments } from "./perf-arguments.ts";
import { planTuning } from "./plan-tuning.ts";
import { readArrivals } from "./read-arrivals.ts";
import { settingError } from "./read-settings.ts";
import { runTuning } from "./run-tuning.ts";
import type { AnalyzeTerminal } from "./terminal.ts";
import { tritonHost } from "./triton-host.ts";
import type { VariantHost } from "./tuning-deps.ts";

export interface ProfileModel {
  readonly command: AnalyzeCommand;
  readonly order: ModelOrder;
  /** The built program of a load generator. */
  readonly generator: string;
  readonly terminal: Pick<AnalyzeTerminal, "pause" | "stopAsked" | "signal">;
  readonly checkpoint: TuningCheckpoint | null;
  readonly onProgress: (progress: TuningProgress) => void;
  readonly onCheckpoint: (checkpoint: TuningCheckpoint) => void;
}

/** Tunes one model of a server. Throws what makes that impossible. */
export async function profileModel(work: ProfileModel): Promise<TuningResult> {
  const { command, order, terminal } = work;
  const { settings } = order;
  const client = new NereidClient({ baseUrl: command.server });
  const model = await describeTuned(client, order.name);
  const arrivalsFile = settings.text("recorded_arrivals");
  const offsetsMs = arrivalsFile === undefined ? [] : readArrivals(arrivalsFile);
  const processors = settings.whole("processors", cpus().length);
  const { spec, space, search } = planTuning(order, { command, model, processors, offsetsMs });
  using measurer = new CandidateMeasurer({
    generator: work.generator,
    client,
    perfArgs: perfArguments(command, settings.raw("perf_analyzer_flags")),
    goodWithinMs: spec.goodWithinMs,
    offsetsMs,
    seed: spec.seed,
    metricsUrl: model.onGpu ? command.metricsUrl : undefined,
  });
  const result = await runTuning(
    { spec, space, search, checkpoint: work.checkpoint, offsetsMs },
    {
      model,
      host: await hostOf(client, { command, order, model, measureSeconds: spec.measureSeconds }),
      measurer,
      live: liveWatch(client, order.name),
      machineAllows: (guard) => machineAllows(guard, (ms) => terminal.pause(ms)),
      freeProcessors: () => freeProcessors(processors, (ms) => terminal.pause(ms)),
      nowMs,
      pause: (ms) => terminal.pause(ms),
      stopAsked: () => terminal.stopAsked(),
      signal: terminal.signal,
      progress: work.onProgress,
      checkpoint: work.onCheckpoint,
    },
  );
  const recommended = result.recommended === null ? null : describeRecommended(result.recommended, model);
  return { ...result, recommended };
}

/** What a tuning must know of a served model. UNSUPPORTED for what cannot be tuned. */
export async function describeTuned(client: NereidClient, name: string): Promise<TunedModel> {
  // Plain JSON, as it came over the wire.
  const config = (await client.modelConfig(name)) as { readonly [name: string]: TuningJson };
  if (config["ensemble_scheduling"] !== undefined && config["ensemble_scheduling"] !== null)
    throw new NereidError("UNSUPPORTED", `'${name}' is an ensemble: it has no instances of its own`, {
      fix: "tune the models that it is composed of, one by one",
    });
  return tunedModel(name, config);
}

/** Candidates where the server knows them; loads with files elsewhere. */
async function hostOf(
  client: NereidClient,
  {
    command,
    order,
    model,
    measureSeconds,
  }: {
    readonly command: AnalyzeCommand;
    readonly order: ModelOrder;
    readonly model: TunedModel;
    readonly measureSeconds: number;
  },
): Promise<VariantHost> {
  try {
    await removeLeftovers(client, order.name);
    const lowPriority = !order.settings.flag("normal_priority");
    return nereidHost({ client, model: order.name, measureSeconds, lowPriority });
  } catch (error) {
    const { code } = NereidError.from(error);
    if (code !== "NOT_FOUND" && code !== "METHOD_NOT_ALLOWED" && code !== "INVALID_ARGUMENT") throw error;
  }
  if (command.repository === undefined)
    throw settingError(
      `${command.server} makes no candidates, as a Triton server does not`,
      "name the directory of its models with --model-repository, and start it with --model-control-mode=explicit",
    );
  return tritonHost(client, model, command.repository);
}
