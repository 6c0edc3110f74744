import { randomUUID } from "node:crypto";
import { NereidError } from "@nereid/errors";
import { answersOf } from "@nereid/inference-worker";
import type { Exchange } from "../handlers/exchange.ts";
import { sendJson } from "../http/http-error.ts";
import type { ServerContext } from "../server-context.ts";
import type { FoundModel } from "./find-model.ts";
import { badParameter } from "./openai-error.ts";
import type { Body } from "./read-controls.ts";
import { readEmbeddingInput } from "./read-prompt.ts";
import { submit } from "./start-text.ts";
import { numberOf } from "./text-answers.ts";

export interface EmbeddingCall {
  readonly found: FoundModel;
  readonly body: Body;
  readonly startNs: number;
}

interface Embedded {
  /** FP32, little endian. */
  readonly vector: Buffer;
  readonly tokens: number | undefined;
}

/** Texts of one request that are with the model at the same time. */
const SIDE_BY_SIDE = 8;

/** `/v1/embeddings`: each text is a request to the model. */
export async function handleEmbeddings(context: ServerContext, call: EmbeddingCall, exchange: Exchange): Promise<void> {
  const { found, body } = call;
  const texts = readEmbeddingInput(body);
  const write = writerOf(body);
  const embedded: Embedded[] = [];
  for (let at = 0; at < texts.length; at += SIDE_BY_SIDE) {
    const part = texts.slice(at, at + SIDE_BY_SIDE);
    embedded.push(...(await Promise.all(part.map((text) => embed(context, { ...call, text }, exchange)))));
    if (exchange.response.destroyed) return;
  }
  const tokens = embedded.map((one) => one.tokens);
  const known = tokens.every((count) => count !== undefined);
  const total = tokens.reduce((sum: number, count) => sum + (count ?? 0), 0);
  const answer = {
    object: "list",
    data: embedded.map(({ vector }, index) => ({ object: "embedding", index, embedding: write(vector) })),
    model: found.name,
    ...(known && { usage: { prompt_tokens: total, total_tokens: total } }),
  };
  sendJson(exchange.response, JSON.stringify(answer));
}

function writerOf(body: Body): (vector: Buffer) => unknown {
  const { encoding_format: format = "float", dimensions } = body;
  if (dimensions !== undefined && dimensions !== null)
    throw badParameter("dimensions", "'dimensions' is not supported: embeddings have the model's own length");
  if (format === "base64") return (vector) => vector.toString("base64");
  if (format === "float") return floatsOf;
  throw badParameter("encoding_format", "'encoding_format' must be float or base64");
}

function floatsOf(vector: Buffer): number[] {
  return Array.from({ length: vector.byteLength / 4 }, (_, index) => vector.readFloatLE(index * 4));
}

async function embed(
  context: ServerContext,
  call: EmbeddingCall & { readonly text: string },
  exchange: Exchange,
): Promise<Embedded> {
  const { found, text, startNs } = call;
  const { textInput, embedding } = found.model;
  const output = embedding?.name ?? "";
  const { ticket, over } = submit(context, exchange, {
    found,
    id: `embd-${randomUUID()}`,
    text: { input: textInput, value: text },
    controls: new Map(),
    outputs: [output, "prompt_tokens"],
    startNs,
  });
  try {
    let result: Embedded | undefined;
    for await (const answer of answersOf(ticket)) {
      exchange.watch.answered(answer);
      const { outputs } = answer.response;
      const found = outputs.find(({ name }) => name === output);
      if (found !== undefined)
        result = { vector: Buffer.from(found.bytes), tokens: numberOf(outputs, "prompt_tokens") };
      answer.release();
    }
    if (result === undefined) throw new NereidError("INTERNAL", `model '${found.name}' gave no embedding`);
    return result;
  } catch (error) {
    ticket.cancel();
    throw error;
  } finally {
    over();
  }
}
