import { NereidError } from "@nereid/errors";

/** A request's inputs, and the parameters of the same names, as they came. */
export interface RawRequest {
  /** Elements of a BYTES input. */
  texts(name: string): readonly string[] | undefined;
  /** The first element of a numeric or BOOL input. */
  number(name: string): number | bigint | undefined;
  readonly parameters: Readonly<Record<string, string | number | bigint | boolean>>;
}

export type Prompt =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "messages"; readonly messages: readonly ChatMessage[] };

export interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

export type Shape = { readonly kind: "grammar" | "json_schema"; readonly text: string };

/** What a request asks to be generated. */
export interface GenerationRequest {
  readonly prompt: Prompt;
  /** Undefined: the model's default. */
  readonly maxTokens: number | undefined;
  readonly temperature: number;
  readonly topP: number;
  readonly topK: number;
  readonly minP: number;
  readonly seed: number | undefined;
  readonly stop: readonly string[];
  readonly repeatPenalty: number;
  readonly frequencyPenalty: number;
  readonly presencePenalty: number;
  /** One response for each piece of text; otherwise one with all of it. */
  readonly stream: boolean;
  /** What the answer must look like. */
  readonly shape: Shape | undefined;
}

const MOST_STOPS = 64;
const MOST_TOKENS = 2 ** 31 - 1;

/** INVALID_ARGUMENT, naming the input and what it takes, for a request that asks for nothing that can be done. */
export function readGenerationRequest(raw: RawRequest): GenerationRequest {
  const within = (name: string, least: number, most: number) => numberWithin(raw, name, { least, most });
  const seed = wholeOf(raw, "seed");
  const stop = raw.texts("stop") ?? textParameter(raw, "stop") ?? [];
  if (stop.length > MOST_STOPS) throw wrong(`input 'stop' has ${stop.length} texts; at most ${MOST_STOPS} are taken`);
  return {
    prompt: promptOf(raw),
    maxTokens: whole(within("max_tokens", 1, MOST_TOKENS)),
    temperature: within("temperature", 0, 100) ?? 0.8,
    topP: within("top_p", 0, 1) ?? 0.95,
    topK: whole(within("top_k", 0, MOST_TOKENS)) ?? 40,
    minP: within("min_p", 0, 1) ?? 0,
    seed: seed === undefined ? undefined : Number(BigInt.asUintN(32, seed)),
    stop,
    repeatPenalty: within("repeat_penalty", 0.01, 100) ?? 1,
    frequencyPenalty: within("frequency_penalty", -2, 2) ?? 0,
    presencePenalty: within("presence_penalty", -2, 2) ?? 0,
    stream: flagOf(raw, "stream"),
    shape: shapeOf(raw),
  };
}

/** The text to embed. */
export function readEmbeddingText(raw: RawRequest): string {
  const text = oneText(raw, "text_input");
  if (text === undefined) throw wrong("input 'text_input' is missing: the text to embed");
  return text;
}

function promptOf(raw: RawRequest): Prompt {
  const text = oneText(raw, "text_input");
  const messages = oneText(raw, "messages");
  if (text !== undefined && messages !== undefined)
    throw wrong("give the prompt as 'text_input' or as 'messages', not as both");
  if (text !== undefined) return { kind: "text", text };
  if (messages === undefined) throw wrong("the prompt is missing: input 'text_input', or 'messages' as JSON");
  return { kind: "messages", messages: readMessages(messages) };
}

/** Messages of a conversation as OpenAI's API writes them. */
function readMessages(json: string): readonly ChatMessage[] {
  let list: unknown;
  try {
    list = JSON.parse(json);
  } catch {
    throw wrong("input 'messages' is not JSON");
  }
  if (!Array.isArray(list) || list.length === 0)
    throw wrong('input \'messages\' must be a JSON array such as [{"role": "user", "content": "Hello"}]');
  return list.map((entry: { readonly role?: unknown; readonly content?: unknown } | null, index) => {
    const { role, content } = entry ?? {};
    if (typeof role !== "string" || typeof content !== "string")
      throw wrong(`message ${index} of input 'messages' must have a text 'role' and a text 'content'`);
    return { ...entry, role, content };
  });
}

function shapeOf(raw: RawRequest): Shape | undefined {
  const grammar = oneText(raw, "grammar");
  const schema = oneText(raw, "json_schema");
  if (grammar !== undefined && schema !== undefined) throw wrong("give 'grammar' or 'json_schema', not both");
  if (grammar !== undefined) return { kind: "grammar", text: grammar };
  return schema === undefined ? undefined : { kind: "json_schema", text: schema };
}

function oneText(raw: RawRequest, name: string): string | undefined {
  return (raw.texts(name) ?? textParameter(raw, name))?.[0];
}

function textParameter(raw: RawRequest, name: string): readonly string[] | undefined {
  const value = raw.parameters[name];
  return typeof value === "string" ? [value] : undefined;
}

function anyNumber(raw: RawRequest, name: string): number | bigint | undefined {
  const given = raw.number(name);
  if (given !== undefined) return given;
  const value = raw.parameters[name];
  if (value === undefined) return undefined;
  if (typeof value === "number" || typeof value === "bigint") return value;
  throw wrong(`parameter '${name}' must be a number, got '${String(value).slice(0, 50)}'`);
}

function numberWithin(raw: RawRequest, name: string, range: { least: number; most: number }): number | undefined {
  const given = anyNumber(raw, name);
  if (given === undefined) return undefined;
  const value = Number(given);
  if (value >= range.least && value <= range.most) return value;
  throw wrong(`'${name}' must be from ${range.least} to ${range.most}, got ${value}`);
}

function wholeOf(raw: RawRequest, name: string): bigint | undefined {
  const given = anyNumber(raw, name);
  if (given === undefined || typeof given === "bigint") return given;
  if (!Number.isSafeInteger(given)) throw wrong(`'${name}' must be a whole number, got ${given}`);
  return BigInt(given);
}

function whole(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.floor(value);
}

function flagOf(raw: RawRequest, name: string): boolean {
  const given = raw.number(name) ?? raw.parameters[name];
  if (given === undefined) return false;
  if (given === true || given === 1) return true;
  if (given === false || given === 0) return false;
  throw wrong(`'${name}' must be true or false, got '${String(given).slice(0, 50)}'`);
}

function wrong(message: string): NereidError {
  return new NereidError("INVALID_ARGUMENT", message);
}
