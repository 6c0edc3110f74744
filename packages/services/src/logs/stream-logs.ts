import type { LogLine } from "@nereid/client";
import type { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { StreamCall } from "../metrics/stream-latency.ts";
import { parseInput } from "../parse-input.ts";
import { logFilterInput } from "./log-input.ts";

/** Lines about a model later than `after`, then live ones, until the signal aborts. */
export async function* streamLogs(
  call: StreamCall<z.input<typeof logFilterInput>>,
): AsyncGenerator<LogLine, void, undefined> {
  const { ctx, input, signal } = call;
  authorise(ctx.actor, "logs.read");
  // A node that has no such call refuses by a promise.
  yield* await ctx.node.logStream(parseInput(logFilterInput, input), { signal });
}
