import type { ModelStatus } from "@nereid/client";
import type { Transaction } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { authoriseChange } from "../access/authorise-change.ts";
import type { Permission } from "../access/permissions.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { ChangeContext } from "../context.ts";
import { cordonRefusal } from "../nodes/cordon.ts";
import { writeTransaction } from "../write-transaction.ts";

export interface ModelChange<Result> {
  readonly action: string;
  readonly permission: Permission;
  /** The model, also the target of the audit row. */
  readonly name: string;
  readonly reason?: string | undefined;
  readonly act: () => Promise<Result>;
  /** What the audit row says of the model before and after; without it, its versions and their states. */
  readonly view?: (status: ModelStatus) => Record<string, string>;
  /** Why the states after the act are not what it was for; undefined when they are. */
  readonly missed?: (after: Readonly<Record<string, string>>) => NereidError | undefined;
  /** What else the audit row says of the change: what was asked for, and how it came out. */
  readonly asked?: Readonly<Record<string, unknown>>;
  readonly outcome?: (result: Result) => Readonly<Record<string, unknown>>;
  /** What the control plane keeps of the change, in the transaction of the audit row. */
  readonly keep?: (tx: Transaction, result: Result) => Promise<void>;
}

/** Versions and their states, the part of a status that a load or unload changes. */
function snapshot(status: ModelStatus): Record<string, string> {
  return Object.fromEntries(status.versions.map(({ version, state }) => [version, state]));
}

async function stateOf(
  ctx: ChangeContext,
  { name, view = snapshot }: Pick<ModelChange<unknown>, "name" | "view">,
): Promise<Record<string, string> | undefined> {
  try {
    return view(await ctx.node.model(name));
  } catch {
    // The audit row is about the change; not knowing the state around it must not prevent the change.
    return undefined;
  }
}

/** Runs one change of a model, if the actor may make it, and leaves an audit row whichever way it ends. */
export async function changeModel<Result>(ctx: ChangeContext, change: ModelChange<Result>): Promise<Result> {
  const { action, permission, name, act, missed, asked } = change;
  const target = { action, targetType: "model", targetId: name } as const;
  await authoriseChange(ctx, permission, target);
  const before = await stateOf(ctx, change);
  const row = { ...target, reason: change.reason, before };
  const failed = async (thrown: unknown, states?: Readonly<Record<string, string>>): Promise<NereidError> => {
    const error = NereidError.from(thrown);
    const after = { ...states, ...asked, error: error.message, code: error.code };
    await recordAudit({ ctx, input: { ...row, outcome: "failed", after } });
    return error;
  };
  let result: Result;
  try {
    const refusal = cordonRefusal(
      ctx.nodes.find(({ id }) => id === ctx.nodeId),
      action,
    );
    if (refusal !== undefined) throw refusal;
    result = await act();
  } catch (thrown) {
    throw await failed(thrown);
  }
  const states = await stateOf(ctx, change);
  const problem = states === undefined ? undefined : missed?.(states);
  if (problem !== undefined) throw await failed(problem, states);
  const after = { ...states, ...asked, ...change.outcome?.(result) };
  await writeTransaction(ctx.db, async (tx) => {
    await change.keep?.(tx, result);
    await recordAudit({ ctx: { ...ctx, db: tx }, input: { ...row, outcome: "succeeded", after } });
  });
  return result;
}
