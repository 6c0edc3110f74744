import type { z } from "zod";
import { authorise } from "../access/permissions.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Call } from "../context.ts";
import { versionInput } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";

/** The files of a version as a tar stream; that somebody took them stands in the audit trail. */
export async function openArchive({
  ctx,
  input,
  signal,
}: Call<z.input<typeof versionInput>> & { readonly signal: AbortSignal }): Promise<ReadableStream<Uint8Array>> {
  authorise(ctx.actor, "model.read");
  const { name, version } = parseInput(versionInput, input);
  const stream = await ctx.node.versionArchive(name, version, signal);
  await recordAudit({
    ctx,
    input: {
      action: "version.download",
      targetType: "model",
      targetId: name,
      outcome: "succeeded",
      after: { version },
    },
  });
  return stream;
}
