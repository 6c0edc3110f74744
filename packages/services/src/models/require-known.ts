import { NereidError } from "@nereid/errors";
import type { InferenceNode } from "../context.ts";

interface Asked {
  readonly client: Pick<InferenceNode, "model">;
}

/**
 * NOT_FOUND when every one of the nodes says that it has no such model. A node that does not answer may have it. For verbs whose answer about
 * a model is empty: an empty answer about a misspelt name would look like silence.
 */
export async function requireKnown(nodes: readonly Asked[], model: string): Promise<void> {
  const answers = await Promise.allSettled(nodes.map(({ client }) => client.model(model)));
  const unknown = answers.every(
    (answer) => answer.status === "rejected" && NereidError.from(answer.reason).code === "NOT_FOUND",
  );
  if (nodes.length === 0 || !unknown) return;
  throw new NereidError("NOT_FOUND", `there is no model '${model}'`, {
    fix: "look at the list of models, and at the node that is asked",
  });
}
