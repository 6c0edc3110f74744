import type { Transaction } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { authoriseChange } from "./access/authorise-change.ts";
import type { Permission } from "./access/permissions.ts";
import { recordAudit } from "./audit/record-audit.ts";
import type { ServiceContext } from "./context.ts";
import { writeTransaction } from "./write-transaction.ts";

export interface RecordChange<Result> {
  readonly action: string;
  /** Checked first; null where `work` itself decides who may. */
  readonly permission: Permission | null;
  readonly targetType: string;
  readonly targetId: string;
  readonly reason?: string | undefined;
  /** Makes the change; answers what the audit row says beside the result. */
  readonly work: (tx: Transaction) => Promise<{
    readonly result: Result;
    readonly targetId?: string;
    readonly before?: unknown;
    readonly after?: unknown;
  }>;
}

/** Changes the control plane's own records together with the audit row; a refusal is audited, and changes nothing. */
export async function changeRecords<Result>(ctx: ServiceContext, change: RecordChange<Result>): Promise<Result> {
  const { action, targetType, targetId, reason, permission, work } = change;
  const target = { action, targetType, targetId };
  if (permission !== null) await authoriseChange(ctx, permission, target);
  try {
    return await writeTransaction(ctx.db, async (tx) => {
      const { result, before, after, targetId: found = targetId } = await work(tx);
      await recordAudit({
        ctx: { ...ctx, db: tx },
        input: { ...target, targetId: found, outcome: "succeeded", reason, before, after },
      });
      return result;
    });
  } catch (thrown) {
    if (!(thrown instanceof NereidError)) throw thrown;
    const after = { error: thrown.message, code: thrown.code };
    // Refusals can be repeated at will by whoever may ask.
    const oncePerMinute = `failed/${ctx.actor.id}/${targetId}/${thrown.code}`;
    await recordAudit({ ctx, input: { ...target, outcome: "failed", reason, after, oncePerMinute } });
    throw thrown;
  }
}
