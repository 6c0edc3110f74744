import { NereidError } from "@nereid/errors";
import type { Exchange } from "../handlers/exchange.ts";
import { EventStream } from "../http/event-stream.ts";
import { sendJson } from "../http/http-error.ts";
import { dropWhenStalled } from "../http/send-infer.ts";
import type { ServerContext } from "../server-context.ts";
import type { FoundModel } from "./find-model.ts";
import { openaiErrorBody } from "./openai-error.ts";
import { type Body, readControls, readStreaming } from "./read-controls.ts";
import { asChatml, readMessages, readPrompt } from "./read-prompt.ts";
import { submit } from "./start-text.ts";
import { type TextPiece, textPieces, type Usage } from "./text-answers.ts";
import { chatShape, completionShape, type TextShape } from "./text-shape.ts";

export interface TextCall {
  readonly kind: "chat" | "completion";
  readonly found: FoundModel;
  readonly body: Body;
  readonly startNs: number;
}

const DONE = Buffer.from("[DONE]");
/** Where the model does not say why it stopped, it said all it had to. */
const STOP = "stop";
/** Characters of an answer that is given as a whole. */
const MOST_TEXT = 16 << 20;

/** `/v1/chat/completions` and `/v1/completions`. What fails before the first byte is thrown. */
export async function handleText(context: ServerContext, call: TextCall, exchange: Exchange): Promise<void> {
  const { kind, found, body, startNs } = call;
  const { spec, model } = found;
  const { stream, includeUsage } = readStreaming(body);
  const controls = new Map(readControls(body));
  // Models that can do either must be told; others are as they are.
  if (spec.inputByName.has("stream")) controls.set("stream", stream);
  const about = { model: found.name, created: Math.floor(context.clock.wallMs() / 1000) };
  const shape = kind === "chat" ? chatShape(about) : completionShape(about);
  const textOutput = model.textOutput?.name ?? "";
  const { ticket, over } = submit(context, exchange, {
    found,
    id: shape.id,
    text: promptOf(call),
    controls,
    outputs: [textOutput, "finish_reason", "prompt_tokens", "completion_tokens"],
    startNs,
  });
  const pieces = textPieces(ticket, textOutput, (answer) => exchange.watch.answered(answer));
  try {
    if (stream) await sendStream(pieces, exchange, { shape, includeUsage });
    else await sendWhole(pieces, exchange, shape);
  } catch (error) {
    ticket.cancel();
    throw error;
  } finally {
    over();
  }
}

function promptOf({ kind, body, found: { model } }: TextCall) {
  if (kind === "completion") return { input: model.textInput, value: readPrompt(body) };
  const messages = readMessages(body);
  if (model.messages === undefined) return { input: model.textInput, value: asChatml(messages) };
  return { input: model.messages, value: JSON.stringify(messages) };
}

async function sendWhole(pieces: AsyncIterable<TextPiece>, { response }: Exchange, shape: TextShape): Promise<void> {
  let text = "";
  let finishReason = STOP;
  let usage: Usage | undefined;
  for await (const piece of pieces) {
    text += piece.text;
    // What a model writes without end must not fill the server's memory.
    if (text.length > MOST_TEXT) throw tooMuch();
    finishReason = piece.finishReason ?? finishReason;
    usage = piece.usage ?? usage;
  }
  if (response.destroyed) return;
  dropWhenStalled(response);
  sendJson(response, JSON.stringify(shape.whole(text, finishReason, usage)));
}

/** The status is that of the first answer; what fails later is an event, and then nothing follows. */
async function sendStream(
  pieces: AsyncIterable<TextPiece>,
  { response }: Exchange,
  how: { readonly shape: TextShape; readonly includeUsage: boolean },
): Promise<void> {
  const { shape, includeUsage } = how;
  const stream = new EventStream(response, { "Cache-Control": "no-cache" });
  const send = (event: object) => stream.send(Buffer.from(JSON.stringify(event)));
  let finishReason = STOP;
  let usage: Usage | undefined;
  let begun = false;
  const begin = async () => {
    if (begun) return;
    begun = true;
    const first = shape.first();
    if (first !== undefined) await send(first);
  };
  try {
    for await (const piece of pieces) {
      await begin();
      if (piece.text !== "") await send(shape.piece(piece.text));
      finishReason = piece.finishReason ?? finishReason;
      usage = piece.usage ?? usage;
    }
    await begin();
    await send(shape.last(finishReason));
    if (includeUsage) await send(shape.usage(usage));
    await stream.send(DONE);
  } catch (error) {
    if (!response.headersSent) throw NereidError.from(error);
    if (response.destroyed) return;
    await stream.send(openaiErrorBody(error));
  }
  stream.end();
}

function tooMuch(): NereidError {
  return new NereidError(
    "INTERNAL",
    `the model's answer is longer than ${MOST_TEXT} characters; ask for it with "stream": true, or limit it with max_tokens`,
  );
}
