import { NereidClient } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import type { LabTarget } from "@nereid/services/lab-task";
import type { LoadTestSpec } from "@nereid/services/load-test-spec";

/** Milliseconds from the first of the requests that a model was sent lately, sped up as asked; nothing for other loads. NOT_FOUND when there were none. */
export async function recordedArrivals(
  { model, version, load }: Pick<LoadTestSpec, "model" | "version" | "load">,
  { httpUrl, headers }: LabTarget,
): Promise<number[]> {
  if (load.kind !== "recorded") return [];
  const client = new NereidClient({ baseUrl: httpUrl, headers });
  const { arrivalsMs } = await client.arrivals(model, {
    seconds: load.seconds,
    ...(version !== undefined && { version }),
  });
  if (arrivalsMs.length === 0) {
    throw new NereidError("NOT_FOUND", `'${model}' had no request in the last ${load.seconds} s`, {
      fix: "look further back, or choose a rate",
    });
  }
  return arrivalsMs.map((ms) => ms / load.speed);
}
