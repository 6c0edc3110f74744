import { badParameter } from "./openai-error.ts";

export type Body = Readonly<Record<string, unknown>>;

/** What a request says about how to generate, by the names of our inputs. */
export type Controls = ReadonlyMap<string, string | number | boolean | readonly string[]>;

/** Numbers that are handed on as they are, by their name in the body. */
const NUMBERS: Readonly<Record<string, string>> = {
  max_tokens: "max_tokens",
  max_completion_tokens: "max_tokens",
  temperature: "temperature",
  top_p: "top_p",
  seed: "seed",
  frequency_penalty: "frequency_penalty",
  presence_penalty: "presence_penalty",
  top_k: "top_k",
  min_p: "min_p",
  repeat_penalty: "repeat_penalty",
};

/** What would change the answer and cannot be done: any value but these is refused. What is not listed anywhere is ignored. */
const REFUSED: Readonly<Record<string, { readonly neutral: readonly unknown[]; readonly why: string }>> = {
  n: { neutral: [1], why: "one answer is given to a request; send the request again for another" },
  best_of: { neutral: [1], why: "one answer is given to a request" },
  logprobs: { neutral: [false, 0], why: "probabilities of tokens are not told" },
  top_logprobs: { neutral: [0], why: "probabilities of tokens are not told" },
  echo: { neutral: [false], why: "the prompt is not repeated" },
  suffix: { neutral: [""], why: "text is generated after the prompt only" },
  logit_bias: { neutral: [], why: "the likelihood of single tokens cannot be changed" },
  tools: { neutral: [], why: "tools are not supported" },
  functions: { neutral: [], why: "functions are not supported" },
  tool_choice: { neutral: ["none", "auto"], why: "tools are not supported" },
  modalities: { neutral: [], why: "answers are text" },
  audio: { neutral: [], why: "answers are text" },
};

const MOST_STOPS = 64;

/** INVALID_ARGUMENT, naming the member of the body, for a value of the wrong kind or a wish that cannot be fulfilled. */
export function readControls(body: Body): Controls {
  refuseWishes(body);
  const controls = new Map<string, string | number | boolean | readonly string[]>();
  for (const [member, name] of Object.entries(NUMBERS)) {
    const value = body[member];
    if (value === undefined || value === null) continue;
    if (typeof value !== "number") throw badParameter(member, `'${member}' must be a number`);
    controls.set(name, value);
  }
  const stop = readStop(body["stop"]);
  if (stop.length > 0) controls.set("stop", stop);
  const schema = readSchema(body["response_format"]);
  if (schema !== undefined) controls.set("json_schema", schema);
  return controls;
}

/** Whether the answer is wanted piece by piece, and the count of tokens behind it. */
export function readStreaming(body: Body): { readonly stream: boolean; readonly includeUsage: boolean } {
  const stream = body["stream"] ?? false;
  if (typeof stream !== "boolean") throw badParameter("stream", "'stream' must be true or false");
  const options = body["stream_options"] as { readonly include_usage?: unknown } | null | undefined;
  return { stream, includeUsage: options?.include_usage === true };
}

function refuseWishes(body: Body): void {
  for (const [member, { neutral, why }] of Object.entries(REFUSED)) {
    const value = body[member];
    if (value === undefined || value === null || neutral.includes(value) || isEmpty(value)) continue;
    throw badParameter(member, `'${member}' is not supported: ${why}`);
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function readStop(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > MOST_STOPS || !list.every((text): text is string => typeof text === "string"))
    throw badParameter("stop", `'stop' must be a text or an array of at most ${MOST_STOPS} texts`);
  return list;
}

/** A JSON schema as text; an empty one takes any JSON object. */
function readSchema(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const { type, json_schema: given } = value as {
    readonly type?: unknown;
    readonly json_schema?: { readonly schema?: unknown };
  };
  if (type === "text") return undefined;
  if (type === "json_object") return "{}";
  const schema = given?.schema;
  if (type === "json_schema" && typeof schema === "object" && schema !== null) return JSON.stringify(schema);
  throw badParameter(
    "response_format",
    "'response_format' must be of type text, json_object or json_schema with a schema",
  );
}
