import { isWarmUpBatchSizes, type WarmUpBatchSizes } from "@nereid/inference-worker";
import { bad, type GivenFlags } from "./given-flags.ts";

/** `--warm-up-batch-sizes`. INVALID_ARGUMENT for another value. */
export function parseWarmUpBatchSizes(given: GivenFlags): WarmUpBatchSizes {
  const text = given.text("warm-up-batch-sizes") ?? "off";
  if (isWarmUpBatchSizes(text)) return text;
  throw bad("warm-up-batch-sizes", `expected off, powers or all, got "${text}"`);
}
