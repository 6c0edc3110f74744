import { readFileSync } from "node:fs";
import type { RequestStep } from "@nereid/perf";
import type { PerfCommand } from "./perf-command.ts";
import { optionError } from "./read-flags.ts";

const PROMPT = "Write a short story about the sea.";
const MOST_TOKENS = 64;

/** The bodies to post to an OpenAI endpoint: those of `--input-data` files, or one prompt of our own. */
export function textRequests({ model, endpoint, streaming, input }: PerfCommand): RequestStep[] {
  const bodies = input.kind === "paths" ? input.paths.flatMap(payloadsOf) : [usual(endpoint)];
  return bodies.map((body) => ({
    kind: "body",
    path: `/${endpoint}`,
    body: JSON.stringify({
      model,
      ...body,
      ...(streaming && { stream: true, stream_options: { include_usage: true } }),
    }),
  }));
}

function usual(endpoint: string): Record<string, unknown> {
  const prompt = endpoint.includes("chat") ? { messages: [{ role: "user", content: PROMPT }] } : { prompt: PROMPT };
  return { ...prompt, max_tokens: MOST_TOKENS };
}

/** `{"data": [{"payload": [{…}]}]}`. */
function payloadsOf(file: string): Record<string, unknown>[] {
  const fix = 'write {"data": [{"payload": [{"messages": […]}]}]}';
  let document: unknown;
  try {
    document = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw optionError(`${file} cannot be read as JSON`, fix);
  }
  const data = isObject(document) ? document["data"] : undefined;
  const entries: unknown[] = Array.isArray(data) ? data.flat() : [];
  const payloads = entries.flatMap((entry) => (isObject(entry) ? entry["payload"] : undefined));
  const bodies = payloads.filter(isObject);
  if (bodies.length === 0 || bodies.length < payloads.length)
    throw optionError(`${file} has an entry without a payload`, fix);
  return bodies;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
