import type { ModelWarning } from "@nereid/client";
import { z } from "zod";
import type { Call } from "../context.ts";
import { reason } from "../instant.ts";
import { changeModel } from "../models/change-model.ts";
import { type ChangeVersionInput, changeVersionInput, modelInput, versionNumber } from "../models/model-name.ts";
import { requireConfirmation } from "../models/remove-model.ts";
import { parseInput } from "../parse-input.ts";

export interface ChangedVersions {
  readonly warnings: readonly ModelWarning[];
}

/** Serves a version beside those that are served; remembered like a pin. */
export async function loadVersion({ ctx, input }: Call<ChangeVersionInput>): Promise<ChangedVersions> {
  const { name, version, reason } = parseInput(changeVersionInput, input);
  const change = { action: "version.load", permission: "model.load", name, reason, asked: { version } } as const;
  return { warnings: await changeModel(ctx, { ...change, act: () => ctx.node.loadVersion(name, version) }) };
}

/** Stops serving a version; the last one unloads the model. */
export async function unloadVersion({ ctx, input }: Call<ChangeVersionInput>): Promise<ChangedVersions> {
  const { name, version, reason } = parseInput(changeVersionInput, input);
  const change = { action: "version.unload", permission: "model.unload", name, reason, asked: { version } } as const;
  return { warnings: await changeModel(ctx, { ...change, act: () => ctx.node.unloadVersion(name, version) }) };
}

export const pinVersionsInput = modelInput.extend({
  /** Exactly these are served from now on; null = what the configuration's policy selects. */
  versions: z.array(versionNumber).min(1).max(100).nullable(),
  reason,
});

/** Says which versions are served. The missing ones are loaded first, then the rest is unloaded. */
export async function pinVersions({ ctx, input }: Call<z.input<typeof pinVersionsInput>>): Promise<ChangedVersions> {
  const { name, versions, reason } = parseInput(pinVersionsInput, input);
  const warnings = await changeModel(ctx, {
    action: "version.pin",
    permission: "model.load",
    name,
    reason,
    asked: { pinned: versions },
    act: () => ctx.node.pinVersions(name, versions),
  });
  return { warnings };
}

export const removeVersionInput = changeVersionInput.extend({
  /** `<model>/<version>`: files are gone for good. */
  confirm: z.string().max(600),
});

/** Removes the files of a version. CONFLICT while it is served. */
export async function removeVersion({ ctx, input }: Call<z.input<typeof removeVersionInput>>): Promise<void> {
  const { name, version, confirm, reason } = parseInput(removeVersionInput, input);
  await changeModel(ctx, {
    action: "version.delete",
    permission: "model.delete",
    name,
    reason,
    asked: { version },
    act: async () => {
      requireConfirmation(confirm, `${name}/${version}`);
      await ctx.node.deleteVersion(name, version);
    },
  });
}
