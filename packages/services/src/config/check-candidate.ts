import type { ModelConfigState } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import type { ServiceContext } from "../context.ts";

export interface CandidateConfig {
  readonly model: string;
  readonly text: string;
  /** Digest of the file that the change was begun from. */
  readonly ifDigest: string;
}

/**
 * A configuration that is to be tried beside the one that serves: it must be one, another one, and begun from what is there. CONFLICT or
 * INVALID_ARGUMENT otherwise. Answers what is there.
 */
export async function checkCandidate(
  { node }: Pick<ServiceContext, "node">,
  { model, text, ifDigest }: CandidateConfig,
): Promise<ModelConfigState> {
  const present = await node.modelConfigState(model);
  if (present.digest !== ifDigest) {
    throw new NereidError("CONFLICT", `the configuration of ${model} was changed meanwhile`, {
      fix: "look at it again, and begin anew",
    });
  }
  if (present.text.trim() === text.trim()) {
    throw new NereidError("INVALID_ARGUMENT", "the new configuration is the one that is there", {
      fix: "change something in it",
    });
  }
  const { diagnostics } = await node.checkConfig(model, text);
  const wrong = diagnostics.find(({ severity }) => severity === "error");
  if (wrong === undefined) return present;
  throw new NereidError("INVALID_ARGUMENT", `the new configuration: ${wrong.message}`, {
    fix: "correct it on the page Configuration, which marks the place",
  });
}
