import type { LogAnswer } from "@nereid/client";
import type { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { listLogsInput } from "./log-input.ts";

/** The lines about a model that the node remembers, the oldest first, and the id to go on after. */
export async function listLogs({ ctx, input }: Call<z.input<typeof listLogsInput>>): Promise<LogAnswer> {
  authorise(ctx.actor, "logs.read");
  return ctx.node.logs(parseInput(listLogsInput, input));
}
