import {
  type Clock,
  type LoaderContext,
  type ModelManager,
  type PlanContext,
  Semaphore,
  trialLoad,
} from "@nereid/inference-worker";
import type { KeyedTurns, LocalRepository } from "@nereid/model-repository";
import type { Logger } from "pino";
import type { ServerOptions } from "../options/server-options.ts";
import type { DesiredState } from "../state/desired-state.ts";
import { DraftService } from "./draft-service.ts";
import { createDraftHandler } from "./handle-drafts.ts";

/** A trial that takes longer is a failed one. */
const TRIAL_LOAD_MS = 180_000;
const TRIAL_INFERENCE_MS = 60_000;
/** Each is a process with a model in it; further checks wait. */
const TRIALS_AT_ONCE = 2;

export interface DraftParts {
  readonly options: ServerOptions;
  readonly repository: LocalRepository;
  readonly manager: ModelManager;
  readonly plan: PlanContext;
  readonly loader: LoaderContext;
  readonly desired: DesiredState;
  readonly turns: KeyedTurns;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Drafts {
  /** Ends what a killed server had begun, and reads its drafts; before models are loaded. */
  start(): Promise<void>;
  readonly handle: ReturnType<typeof createDraftHandler>;
}

/** The drafts of this server, with its own way to try and to load models. */
export function createDrafts(parts: DraftParts): Drafts {
  const { options, repository, manager, plan, loader, desired, turns, clock, log } = parts;
  const limits = {
    loadMs: TRIAL_LOAD_MS,
    inferenceMs: TRIAL_INFERENCE_MS,
    memoryBytes: plan.memoryLimitBytes,
  };
  const trials = new Semaphore(TRIALS_AT_ONCE);
  const service = new DraftService({
    repository,
    clock,
    log,
    gpus: plan.gpus.gpus,
    cudaBuild: plan.gpus.cudaBuild,
    defaultMaxBatchSize: options.defaultMaxBatchSize,
    trial: (subject) =>
      trials.run(async () => {
        const { effective: _printed, ...report } = await trialLoad(subject, { plan, loader, limits });
        return report;
      }),
    // Whoever publishes a version means it to serve, whatever was chosen by hand before.
    load: (model) =>
      turns.run(model, async () => {
        const { warnings } = await manager.load(model);
        const problem = await desired.pinned(model, null);
        return {
          warnings: problem === undefined ? warnings : [...warnings, { code: "not-remembered", message: problem }],
        };
      }),
  });
  return { start: () => service.start(), handle: createDraftHandler(service) };
}
