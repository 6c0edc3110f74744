import type { OperatedInstance } from "@nereid/client";
import { z } from "zod";
import type { Call } from "../context.ts";
import { changeModel } from "../models/change-model.ts";
import { changeModelInput, versionNumber } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";

const LONGEST_DEADLINE_MS = 600_000;

export const operateInstanceInput = changeModelInput.extend({
  /** Its number, as `batching.get` tells it. */
  instance: z.string().regex(/^\d{1,4}$/, "is not the number of an instance"),
  action: z.enum(["drain", "resume", "restart"]),
  /** Needed where several versions are served. */
  version: versionNumber.optional(),
  /** Also where no other instance would serve: requests then wait. */
  force: z.boolean().optional(),
  /** Of a restart: how long its batch may take to end before it fails; default 30 s. */
  deadlineMs: z.int().min(0).max(LONGEST_DEADLINE_MS).optional(),
});

/**
 * Drains, resumes or restarts one instance of a served version; a restart is waited for. It takes the permission of a load. NOT_FOUND
 * for no instance of this number, CONFLICT where none would serve without it, UNSUPPORTED where instances cannot be operated one by one.
 */
export async function operateInstance({
  ctx,
  input,
}: Call<z.input<typeof operateInstanceInput>>): Promise<OperatedInstance> {
  const { name, reason, instance, action, version, force, deadlineMs } = parseInput(operateInstanceInput, input);
  return changeModel(ctx, {
    action: `instance.${action}`,
    permission: "model.load",
    name,
    reason,
    act: () => ctx.node.operateInstance(name, { action, index: Number(instance), version, force, deadlineMs }),
    asked: { instance, ...(version !== undefined && { version }), ...(force !== undefined && { force }) },
    outcome: (operated) => ({ called: operated.instance.name, phase: operated.instance.phase }),
  });
}
