import { NereidError } from "@nereid/errors";
import { recordAudit } from "../audit/record-audit.ts";
import type { ChangeContext } from "../context.ts";
import { authorise, type Permission } from "./permissions.ts";

export interface ChangeTarget {
  /** `entity.verb`, as it stands in the audit trail. */
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string;
}

/** Throws FORBIDDEN unless the actor may do it; a refusal leaves a row too, at most one a minute of each kind and actor. */
export async function authoriseChange(
  ctx: Omit<ChangeContext, "node">,
  permission: Permission,
  target: ChangeTarget,
): Promise<void> {
  try {
    authorise(ctx.actor, permission);
  } catch (thrown) {
    throw await recordRefusal(ctx, target, thrown);
  }
}

/** Leaves the row of something that the actor was not let do, and answers the error to throw. */
export async function recordRefusal(
  ctx: Omit<ChangeContext, "node">,
  target: ChangeTarget,
  thrown: unknown,
): Promise<NereidError> {
  const error = NereidError.from(thrown);
  const after = { error: error.message, code: error.code };
  await recordAudit({
    ctx,
    input: { ...target, outcome: "failed", after, oncePerMinute: `refused/${ctx.actor.id}` },
  });
  return error;
}
