import type { ModelStatus, ModelWarning } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import type { z } from "zod";
import { authoriseChange } from "../access/authorise-change.ts";
import type { Call } from "../context.ts";
import { reason } from "../instant.ts";
import { changeModel } from "../models/change-model.ts";
import { modelInput, versionNumber } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";

export const rollbackInput = modelInput.extend({ to: versionNumber.optional(), reason });

export interface RolledBack {
  /** Versions that were served before. */
  readonly from: readonly string[];
  readonly to: string;
  /** Pin these versions to take it back; null = no pin, as it was before. */
  readonly undo: readonly string[] | null;
  readonly warnings: readonly ModelWarning[];
}

/** Serves an earlier version instead of the present ones: the one named, or the newest below the highest that is served. */
export async function rollback({ ctx, input }: Call<z.input<typeof rollbackInput>>): Promise<RolledBack> {
  const { name, to: wanted, reason } = parseInput(rollbackInput, input);
  await authoriseChange(ctx, "model.load", { action: "version.rollback", targetType: "model", targetId: name });
  const [status, files] = await Promise.all([ctx.node.model(name), ctx.node.versionFiles(name)]);
  const from = servedVersions(status);
  const to =
    wanted ??
    earlierVersion(
      name,
      from,
      files.map(({ version }) => version),
    );
  const warnings = await changeModel(ctx, {
    action: "version.rollback",
    permission: "model.load",
    name,
    reason,
    asked: { from, to },
    act: () => ctx.node.pinVersions(name, [to]),
  });
  return { from, to, undo: status.pinned, warnings };
}

/** Versions that are served, the lowest first. */
export function servedVersions(status: Pick<ModelStatus, "versions">): string[] {
  return status.versions
    .filter(({ state }) => state === "READY")
    .map(({ version }) => version)
    .toSorted((a, b) => Number(a) - Number(b));
}

/** The newest version below the highest served one. CONFLICT when there is nothing to go back from or to. */
export function earlierVersion(name: string, served: readonly string[], onDisk: readonly string[]): string {
  const highest = served.at(-1);
  if (highest === undefined) {
    throw new NereidError("CONFLICT", `'${name}' serves no version, so there is nothing to roll back`, {
      fix: "load the version that you want",
    });
  }
  const earlier = onDisk
    .filter((version) => Number(version) < Number(highest))
    .toSorted((a, b) => Number(a) - Number(b));
  const to = earlier.at(-1);
  if (to !== undefined) return to;
  throw new NereidError("CONFLICT", `'${name}' has no version before ${highest}`, {
    fix: "name the version to go back to, or deploy one",
  });
}
