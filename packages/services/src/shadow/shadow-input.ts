import type { ShadowStatus } from "@nereid/client";
import { z } from "zod";
import { reason } from "../instant.ts";
import { candidateVersion, modelInput, versionNumber } from "../models/model-name.ts";

const LEAST_PERCENT = 0.1;
const MOST_KEPT = 50;

const tolerance = z.number().min(0).max(Number.MAX_VALUE);

export const startShadowInput = modelInput.extend({
  /** A version, or `candidate/version`. */
  target: z.union([versionNumber, candidateVersion]),
  /** Share of the requests. */
  percent: z.number().min(LEAST_PERCENT).max(100),
  /** Default: those that name no version. */
  requests: z.enum(["unversioned", "all"]).optional(),
  /** Two numbers agree when |a − b| ≤ absolute + relative · |a|. */
  absolute: tolerance.optional(),
  relative: tolerance.optional(),
  keepWorst: z.int().min(0).max(MOST_KEPT).optional(),
  reason,
});

export const stopShadowInput = modelInput.extend({ reason });

/** `10 % to 2`, for the trail; of the configuration, not of what came of it. Pure. */
export function shadowText(shadow: Pick<ShadowStatus, "target" | "percent"> | null): string {
  return shadow === null ? "none" : `${shadow.percent} % to ${shadow.target}`;
}
