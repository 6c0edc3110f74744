import type { ModelConfig } from "@nereid/model-config";
import type { PlanWarning } from "../models/model-plan.ts";

/** What a load says when instances name resources and the limiter is off. */
export function limiterOffWarning({ instanceGroup }: ModelConfig): readonly PlanWarning[] {
  const at = instanceGroup.findIndex(({ rateLimiter }) => rateLimiter !== undefined);
  if (at === -1) return [];
  return [
    {
      code: "rate-limit-off",
      message:
        "rate_limiter has no effect: the rate limiter of this server is off; start it with --rate-limit=execution_count",
      path: `instance_group[${at}].rate_limiter`,
    },
  ];
}
