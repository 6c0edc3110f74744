import type { ModelConfig } from "@nereid/model-config";
import type { PlanWarning } from "../models/model-plan.ts";

/** What a load says when the model wants a response cache and the server has none. */
export function missingCacheWarning({ responseCache }: ModelConfig): readonly PlanWarning[] {
  if (responseCache?.enable !== true) return [];
  return [
    {
      code: "no-response-cache",
      message:
        "response_cache has no effect: this server has no cache; start it with --cache-config=local,size=<bytes>, such as local,size=104857600",
      path: "response_cache.enable",
    },
  ];
}
