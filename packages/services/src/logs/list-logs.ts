import type { LogAnswer } from "@nereid/client";
import type { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { requireKnown } from "../models/require-known.ts";
import { parseInput } from "../parse-input.ts";
import { listLogsInput } from "./log-input.ts";

/** The lines about a model that the node remembers, the oldest first, and the id to go on after. NOT_FOUND for a model that there is not. */
export async function listLogs({ ctx, input }: Call<z.input<typeof listLogsInput>>): Promise<LogAnswer> {
  authorise(ctx.actor, "logs.read");
  const wanted = parseInput(listLogsInput, input);
  const answer = await ctx.node.logs(wanted);
  // A model that is gone may have left lines behind; who asks for more after a line has seen that there is one.
  if (answer.lines.length === 0 && wanted.after === undefined) await requireKnown([{ client: ctx.node }], wanted.model);
  return answer;
}
