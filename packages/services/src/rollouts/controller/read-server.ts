import type { ModelStatus, TrafficStatus } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import type { InferenceNode } from "../../context.ts";
import { inTime } from "../../nodes/list-nodes.ts";
import type { RolloutFacts } from "../decide-rollout.ts";
import type { RolloutSpec } from "../rollout-spec.ts";

/** What the server says of the two versions and of its traffic. A server that does not answer tells nothing; one without the model serves neither. */
export async function readServer(client: Pick<InferenceNode, "model">, spec: RolloutSpec): Promise<RolloutFacts> {
  try {
    return { server: serverFacts(await inTime(client.model(spec.model)), spec) };
  } catch (thrown) {
    const isGone = NereidError.from(thrown).code === "NOT_FOUND";
    return { server: isGone ? { served: { baseline: false, candidate: false }, ...trafficFacts(null) } : null };
  }
}

/** Whether both versions are READY, and the weights. Pure. */
export function serverFacts(
  { versions, traffic }: Pick<ModelStatus, "versions" | "traffic">,
  { baseline, candidate }: Pick<RolloutSpec, "baseline" | "candidate">,
): NonNullable<RolloutFacts["server"]> {
  const serves = (wanted: string) => versions.some(({ version, ready }) => version === wanted && ready);
  return { served: { baseline: serves(baseline), candidate: serves(candidate) }, ...trafficFacts(traffic ?? null) };
}

/** The weights of an answer. Pure. */
export function trafficFacts(traffic: TrafficStatus | null): {
  readonly weights: Readonly<Record<string, number>> | null;
  readonly stickyHeader: string | null;
} {
  return { weights: traffic?.weights ?? null, stickyHeader: traffic?.stickyHeader?.toLowerCase() ?? null };
}
