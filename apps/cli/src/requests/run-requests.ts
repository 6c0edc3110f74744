import { ControlClient } from "@nereid/client";
import type { Output } from "../models/output.ts";
import { requestLines } from "./request-lines.ts";
import { requestStory } from "./request-story.ts";
import type { RequestsCommand } from "./requests-options.ts";

/** Shows what was found: a table, or the story of a single one. What it returns is the result for `--json`. */
export async function runRequests({ url, key, query }: RequestsCommand, output: Output): Promise<unknown> {
  const records = await new ControlClient({ baseUrl: url, apiKey: key }).requests(query);
  const [first] = records;
  const lines =
    first === undefined
      ? ["no request that is remembered fits"]
      : records.length === 1
        ? requestStory(first)
        : requestLines(records);
  for (const line of lines) output.line(line);
  return { records };
}
