import { compareTrafficTargets, type ModelStatus, type ShadowStatus } from "@nereid/client";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { type ModelInput, modelInput } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";

export interface ShadowView {
  /** Null where nothing is mirrored. */
  readonly shadow: ShadowStatus | null;
  /** What could be a target now: versions, the lowest first, then candidates. */
  readonly targets: readonly string[];
}

/** How the requests of a model are mirrored and what came of it, and to whom they could be. NOT_FOUND for no model. */
export async function getShadow({ ctx, input }: Call<ModelInput>): Promise<ShadowView> {
  authorise(ctx.actor, "model.read");
  const { name } = parseInput(modelInput, input);
  const [shadow, models] = await Promise.all([ctx.node.shadow(name), ctx.node.models()]);
  return { shadow, targets: targetsOf(name, models) };
}

/** Every version of the model and of its candidates that takes requests and could answer another one's. Pure. */
export function targetsOf(name: string, models: readonly ModelStatus[]): readonly string[] {
  return models
    .flatMap((model) => {
      const ready = model.versions.filter(({ state }) => state === "READY").map(({ version }) => version);
      // The only one answers itself.
      if (model.name === name) return ready.length === 1 ? [] : ready;
      return model.candidateOf === name ? ready.map((version) => `${model.name}/${version}`) : [];
    })
    .toSorted(compareTrafficTargets);
}
