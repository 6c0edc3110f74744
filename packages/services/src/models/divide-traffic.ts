import { compareTrafficTargets, type Traffic, type TrafficChange } from "@nereid/client";
import { z } from "zod";
import type { Call } from "../context.ts";
import { reason } from "../instant.ts";
import { parseInput } from "../parse-input.ts";
import { refuseDuringRollout } from "../rollouts/start-rollout.ts";
import { changeModel } from "./change-model.ts";
import { candidateVersion, modelInput, versionNumber } from "./model-name.ts";

const MOST_VERSIONS = 100;
const LARGEST_WEIGHT = 1_000_000;

/** A version, or `candidate/version`. */
const target = z.union([versionNumber, candidateVersion]);

const weights = z
  .record(target, z.int().min(0).max(LARGEST_WEIGHT))
  .refine((all) => Object.values(all).some((weight) => weight > 0), "at least one weight must be above 0")
  .refine((all) => Object.keys(all).length <= MOST_VERSIONS, `at most ${MOST_VERSIONS} versions can have a weight`);

export const divideTrafficInput = modelInput.extend({
  /** By version, or `candidate/version`: whole numbers, at least one above 0; null = all to the highest READY version. */
  weights: weights.nullable(),
  /** Requests with the same value in this header go to the same version. */
  stickyHeader: z
    .string()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/, "is not the name of a request header")
    .optional(),
  reason,
});

/** Divides the requests that name no version from now on, also after a restart. NOT_FOUND for a version that is not there. */
export async function divideTraffic({ ctx, input }: Call<z.input<typeof divideTrafficInput>>): Promise<TrafficChange> {
  const { name, weights, stickyHeader, reason } = parseInput(divideTrafficInput, input);
  const traffic: Traffic | null =
    weights === null ? null : { weights, ...(stickyHeader !== undefined && { stickyHeader }) };
  return changeModel(ctx, {
    action: "traffic.divide",
    permission: "model.load",
    name,
    reason,
    view: (status) => ({ traffic: trafficText(status.traffic ?? null) }),
    asked: { traffic: trafficText(traffic) },
    act: async () => {
      await refuseDuringRollout(ctx, name);
      return ctx.node.divideTraffic(name, traffic);
    },
  });
}

/** `1=90, 2=10 by x-user`, lowest version first, candidates last. Pure. */
export function trafficText(traffic: Traffic | null): string {
  if (traffic === null) return "highest version";
  const parts = Object.entries(traffic.weights)
    .toSorted(([a], [b]) => compareTrafficTargets(a, b))
    .map(([version, weight]) => `${version}=${weight}`);
  return `${parts.join(", ")}${traffic.stickyHeader === undefined ? "" : ` by ${traffic.stickyHeader.toLowerCase()}`}`;
}
