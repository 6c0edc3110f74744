import type { ModelStatus } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { type ModelInput, modelInput } from "./model-name.ts";

export interface TensorSignature {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
}

export interface ModelDetail {
  readonly status: ModelStatus;
  /** Inputs and outputs as the loaded model states them; null while no version is ready. */
  readonly signature: { readonly inputs: TensorSignature[]; readonly outputs: TensorSignature[] } | null;
}

/** One model with its versions, instances and, when it is loaded, its signature. */
export async function getModel({ ctx, input }: Call<ModelInput>): Promise<ModelDetail> {
  authorise(ctx.actor, "model.read");
  const { name } = parseInput(modelInput, input);
  const status = await ctx.node.model(name);
  const loaded = status.versions.some((version) => version.state === "READY");
  return { status, signature: loaded ? await readSignature({ ctx, input: { name } }) : null };
}

async function readSignature({ ctx, input }: Call<{ name: string }>): Promise<ModelDetail["signature"]> {
  try {
    const metadata = await ctx.node.modelMetadata(input.name);
    return { inputs: metadata.inputs.map(toSignature), outputs: metadata.outputs.map(toSignature) };
  } catch (error) {
    // Unloaded between the two calls: the page shows the state it was told, without a signature.
    if (error instanceof NereidError && ["NOT_FOUND", "INVALID_ARGUMENT", "UNAVAILABLE"].includes(error.code))
      return null;
    throw error;
  }
}

function toSignature(tensor: {
  name: string;
  datatype: string;
  shape: readonly (number | bigint | string)[];
}): TensorSignature {
  return { name: tensor.name, datatype: tensor.datatype, shape: tensor.shape.map(Number) };
}
