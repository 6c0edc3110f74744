import type { ModelStatus, TrafficStatus } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { digestOf } from "../../config/config-history.ts";
import type { InferenceNode } from "../../context.ts";
import { inTime } from "../../nodes/list-nodes.ts";
import type { RolloutFacts } from "../rollout-now.ts";
import { placeOf, type RolloutSpec } from "../rollout-spec.ts";

type ServerFacts = RolloutFacts["server"];

/** What the server says of the two versions and of its traffic. A server that does not answer tells nothing; one without the model serves neither. */
export async function readServer(
  client: Pick<InferenceNode, "model" | "modelConfigState">,
  spec: RolloutSpec,
): Promise<ServerFacts> {
  const { config } = spec;
  try {
    const status = await inTime(statusOf(client, spec.model));
    if (status === null) {
      return { served: { baseline: false, candidate: false }, isApplied: false, ...trafficFacts(null) };
    }
    if (config === null) return serverFacts({ status, other: null, isApplied: false }, spec);
    const other = await inTime(statusOf(client, placeOf(spec, "candidate").model));
    const { digest } = await inTime(client.modelConfigState(spec.model));
    // The file is written before the load and taken back when that fails: only without a load in progress it is in effect.
    const isLoading = (status.loading ?? []).length > 0;
    return serverFacts({ status, other, isApplied: !isLoading && digest === digestOf(config.text) }, spec);
  } catch {
    return null;
  }
}

async function statusOf(client: Pick<InferenceNode, "model">, name: string): Promise<ModelStatus | null> {
  try {
    return await client.model(name);
  } catch (thrown) {
    if (NereidError.from(thrown).code === "NOT_FOUND") return null;
    throw thrown;
  }
}

interface Statuses {
  readonly status: Pick<ModelStatus, "versions" | "traffic">;
  /** Of the model that was made for the candidate; null = there is none. */
  readonly other: Pick<ModelStatus, "versions"> | null;
  readonly isApplied: boolean;
}

/** Whether both versions are READY, and the weights. Pure. */
export function serverFacts(
  { status, other, isApplied }: Statuses,
  spec: Pick<RolloutSpec, "model" | "baseline" | "candidate" | "config">,
): NonNullable<ServerFacts> {
  const serves = (role: "baseline" | "candidate") => {
    const place = placeOf(spec, role);
    const versions = (place.model === spec.model ? status : other)?.versions ?? [];
    return versions.some(({ version, ready }) => version === place.version && ready);
  };
  return {
    served: { baseline: serves("baseline"), candidate: serves("candidate") },
    isApplied,
    ...trafficFacts(status.traffic ?? null),
  };
}

function trafficFacts(traffic: TrafficStatus | null): {
  readonly weights: Readonly<Record<string, number>> | null;
  readonly stickyHeader: string | null;
} {
  return { weights: traffic?.weights ?? null, stickyHeader: traffic?.stickyHeader?.toLowerCase() ?? null };
}
