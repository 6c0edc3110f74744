import type { ModelStatus } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { authorise } from "../access/permissions.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { ServiceContext } from "../context.ts";

export interface ModelChange<Result> {
  readonly action: "model.load" | "model.unload";
  readonly name: string;
  readonly act: () => Promise<Result>;
  /** Why the states after the act are not what it was for; undefined when they are. */
  readonly missed?: (after: Readonly<Record<string, string>>) => NereidError | undefined;
}

/** Versions and their states, the part of a status that a load or unload changes. */
function snapshot(status: ModelStatus): Record<string, string> {
  return Object.fromEntries(status.versions.map(({ version, state }) => [version, state]));
}

async function stateOf(ctx: ServiceContext, name: string): Promise<Record<string, string> | undefined> {
  try {
    return snapshot(await ctx.node.model(name));
  } catch {
    // The audit row is about the change; not knowing the state around it must not prevent the change.
    return undefined;
  }
}

/** Throws FORBIDDEN unless the actor may do it; a refusal leaves a row too, at most one a minute of each kind and actor. */
async function authoriseChange(ctx: ServiceContext, { action, name }: ModelChange<unknown>): Promise<void> {
  try {
    authorise(ctx.actor, action);
  } catch (thrown) {
    const error = NereidError.from(thrown);
    const after = { error: error.message, code: error.code };
    const target = { action, targetType: "model", targetId: name, outcome: "failed" } as const;
    await recordAudit({ ctx, input: { ...target, after, oncePerMinute: `refused/${ctx.actor.id}` } });
    throw error;
  }
}

/** Runs one change of a model, if the actor may make it, and leaves an audit row whichever way it ends. */
export async function changeModel<Result>(ctx: ServiceContext, change: ModelChange<Result>): Promise<Result> {
  await authoriseChange(ctx, change);
  const { action, name, act, missed } = change;
  const target = { action, targetType: "model", targetId: name } as const;
  const before = await stateOf(ctx, name);
  const failed = async (thrown: unknown, states?: Readonly<Record<string, string>>): Promise<NereidError> => {
    const error = NereidError.from(thrown);
    const after = { ...states, error: error.message, code: error.code };
    await recordAudit({ ctx, input: { ...target, outcome: "failed", before, after } });
    return error;
  };
  let result: Result;
  try {
    result = await act();
  } catch (thrown) {
    throw await failed(thrown);
  }
  const after = await stateOf(ctx, name);
  const problem = after === undefined ? undefined : missed?.(after);
  if (problem !== undefined) throw await failed(problem, after);
  await recordAudit({ ctx, input: { ...target, outcome: "succeeded", before, after } });
  return result;
}
