import type { ModelStatus } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { FIGURES_SECONDS, windowFigures } from "../metrics/window-figures.ts";
import { type ModelInput, modelInput } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";
import { inTime, type NodeChoice, toChoice } from "./list-nodes.ts";

/** A model as one of the nodes has it. */
export interface ModelOnNode {
  readonly node: NodeChoice;
  /** Null where the node has no such model, or does not answer. */
  readonly status: ModelStatus | null;
  readonly problem: string | null;
  readonly requestsPerSecond: number | null;
  /** Milliseconds. */
  readonly p99: number | null;
}

/** The same model on every node, the local one first. */
export async function modelOnNodes({ ctx, input }: Call<ModelInput>): Promise<ModelOnNode[]> {
  authorise(ctx.actor, "model.read");
  const { name } = parseInput(modelInput, input);
  return Promise.all(
    ctx.nodes.map(async (node): Promise<ModelOnNode> => {
      const asked = await inTime(node.client.model(name)).then(
        (status) => ({ status, problem: null }),
        (thrown: unknown) => {
          const { code, message } = NereidError.from(thrown);
          return { status: null, problem: code === "NOT_FOUND" ? null : message };
        },
      );
      const figures = windowFigures(node.metrics.recent(node.metrics.newest - FIGURES_SECONDS), { model: name });
      const { requestsPerSecond = null, p99 = null } = figures ?? {};
      return { node: toChoice(node), ...asked, requestsPerSecond, p99 };
    }),
  );
}
