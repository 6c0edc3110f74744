import { NereidError } from "@nereid/errors";
import type { HttpTransport } from "./http-transport.ts";
import { SseParser } from "./sse-parser.ts";

/** A flat answer of the generate extension: outputs and parameters by name, one-element tensors as scalars. */
export type GenerateAnswer = Readonly<Record<string, unknown>> & {
  readonly model_name: string;
  readonly model_version: string;
};

/** Inputs by name (a scalar or a flat list) and anything else as a parameter of the request. */
export type GenerateBody = Readonly<Record<string, unknown>>;

/** The events of a `generate_stream` call. Throws the NereidError of an error event. */
export async function* generateEvents(
  transport: HttpTransport,
  request: {
    readonly path: string;
    readonly body: GenerateBody;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  },
): AsyncGenerator<GenerateAnswer, void, undefined> {
  const { path, body, headers, signal } = request;
  const stream = await transport.open({
    method: "POST",
    path,
    headers: { ...headers, "content-type": "application/json" },
    body: generateBody(body),
    ...(signal !== undefined && { signal }),
  });
  const parser = new SseParser();
  const decoder = new TextDecoder();
  try {
    for await (const chunk of stream) {
      for (const { data } of parser.push(decoder.decode(chunk, { stream: true }))) yield answerOf(data);
    }
  } catch (thrown) {
    throw transport.failure(thrown, signal);
  }
}

/** The body of a call: typed arrays are lists, and whole bigints numbers. INVALID_ARGUMENT for one beyond 2^53. */
export function generateBody(body: GenerateBody): string {
  return JSON.stringify(body, (key, value: unknown) => {
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return Array.from(value as unknown as number[]);
    if (typeof value !== "bigint") return value;
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
    throw new NereidError("INVALID_ARGUMENT", `'${key}': ${value} has no exact form in a generate call; use infer`);
  });
}

/** The answer in a JSON text, in which NaN, Infinity and -Infinity may stand bare (http.md §7). INTERNAL when it is none. */
export function parseGenerateAnswer(text: string): GenerateAnswer {
  try {
    return parseWithSpecials(text) as GenerateAnswer;
  } catch (cause) {
    throw new NereidError("INTERNAL", "the server's answer is not JSON", {
      fix: "check that the address is a Nereid or Triton HTTP port",
      cause,
    });
  }
}

function parseWithSpecials(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Strings are matched first, so that nothing inside them is taken for a number. No output is an object: one stands for NaN.
    const strict = text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|NaN|-?Inf(?:inity)?/g, (found) => STRICT[found] ?? found);
    return JSON.parse(strict, (_key, value: unknown) => (isNan(value) ? Number.NaN : value));
  }
}

const STRICT: Readonly<Record<string, string>> = {
  NaN: '{"NaN":0}',
  Inf: "1e999",
  Infinity: "1e999",
  "-Inf": "-1e999",
  "-Infinity": "-1e999",
};

function isNan(value: unknown): boolean {
  return typeof value === "object" && value !== null && JSON.stringify(value) === STRICT["NaN"];
}

function answerOf(data: string): GenerateAnswer {
  const value = parseGenerateAnswer(data);
  // A request that fails after its first answer says so in an event; its class went with the status line.
  if (typeof value["error"] === "string") throw new NereidError("UNKNOWN", value["error"]);
  return value;
}
