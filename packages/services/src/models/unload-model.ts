import { NereidError } from "@nereid/errors";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { changeModel } from "./change-model.ts";
import { type ChangeModelInput, changeModelInput } from "./model-name.ts";

/** Unloads a model. The node lets requests that are running finish; new ones are refused at once. */
export async function unloadModel({ ctx, input }: Call<ChangeModelInput>): Promise<void> {
  const { name, reason } = parseInput(changeModelInput, input);
  await changeModel(ctx, {
    action: "model.unload",
    permission: "model.unload",
    name,
    reason,
    act: () => ctx.node.unloadModel(name),
    missed: (states) => stillServed(name, states),
  });
}

/** A node may accept an unload and mean another model, or none: Triton's answer to an unknown name is a success too. */
function stillServed(name: string, states: Readonly<Record<string, string>>): NereidError | undefined {
  const ready = Object.keys(states).filter((version) => states[version] === "READY");
  if (ready.length === 0) return undefined;
  const versions = `${ready.length === 1 ? "version" : "versions"} ${ready.join(", ")}`;
  return new NereidError("CONFLICT", `the server accepted to unload '${name}', but still serves ${versions}`, {
    fix: "look at the model again: somebody may have loaded it meanwhile",
  });
}
