import { NereidError } from "@nereid/errors";
import { type Caller, callModel, type ManageCall, type ModelCalls } from "@nereid/inference-worker";
import type { CustomMetrics } from "@nereid/telemetry";
import type { Logger } from "pino";
import { modelReady } from "../handlers/health.ts";
import { loadWith, unloadNamed } from "../handlers/repository.ts";
import { logModelSays } from "../logging/log-model-news.ts";
import type { ModelLogs } from "../logging/model-logs.ts";
import type { ServerContext } from "../server-context.ts";

/** What the server does for the models that it runs. `context` is asked when a call comes: it is not there before the first model is. */
export function createModelCalls(parts: {
  readonly context: () => ServerContext;
  readonly metrics: CustomMetrics;
  readonly log: Logger;
  readonly logs: ModelLogs;
}): ModelCalls {
  const { metrics, log } = parts;
  return {
    infer: (call, signal) => {
      const { manager, onDemand } = parts.context();
      const targets = {
        resolve: manager.resolve.bind(manager),
        hold: (model: string, until: AbortSignal) => onDemand?.hold(model, until),
      };
      return callModel(targets, call, signal);
    },
    manage: (call) => manage(parts.context(), call),
    metric: (caller, call) => metrics.apply(ownerOf(caller), call),
    left: (caller) => metrics.left(ownerOf(caller)),
    log: ({ model, instance }, level, message) => {
      logModelSays(parts.logs, { runner: model, instance, level, text: message });
      const about = instance < 0 ? { runner: model } : { runner: model, instance };
      if (level === "ERROR") log.error(about, message);
      else if (level === "WARNING") log.warn(about, message);
      else if (level === "INFO") log.info(about, message);
      else log.debug(about, message);
    },
  };
}

function ownerOf({ model, instance, pid }: Caller): string {
  return `${model}#${pid}#${instance}`;
}

async function manage(context: ServerContext, call: ManageCall): Promise<boolean | undefined> {
  const { action, model, version, config, files } = call;
  switch (action) {
    case "is-ready":
      try {
        return await modelReady(context, model, version);
      } catch (error) {
        if (NereidError.from(error).code === "NOT_FOUND") return false;
        throw error;
      }
    case "load":
      await loadWith(context, model, { files, ...(config !== undefined && { config }) });
      return undefined;
    case "unload":
      await unloadNamed(context, model, call.unloadDependents);
      return undefined;
  }
}
