import { NereidError } from "@nereid/errors";
import type { RestrictedCategory } from "@nereid/protocol";
import type { Exchange } from "../handlers/exchange.ts";
import { checkRestricted } from "../http/authorize.ts";
import { sendJson } from "../http/http-error.ts";
import { readJsonObject } from "../http/json-body.ts";
import { holdModel } from "../inference/hold-model.ts";
import type { ServerContext } from "../server-context.ts";
import { findModel, isServed, listModels, modelName, unknownModel } from "./find-model.ts";
import { handleEmbeddings } from "./handle-embeddings.ts";
import { handleText } from "./handle-text.ts";
import type { OpenaiKind } from "./openai-model.ts";

const PREFIX = "/v1/";
/** A long conversation is some hundred kilobytes. */
const BODY_LIMIT = 8 << 20;

const INFERENCE: ReadonlyMap<string, { readonly kind: OpenaiKind; readonly operation: string }> = new Map([
  ["/v1/chat/completions", { kind: "chat", operation: "openaiChat" }],
  ["/v1/completions", { kind: "completion", operation: "openaiCompletion" }],
  ["/v1/embeddings", { kind: "embedding", operation: "openaiEmbedding" }],
]);

/** Whether a request is for the endpoints that are shaped like OpenAI's. */
export function isOpenai(context: ServerContext, target: string): boolean {
  return context.options.allowOpenai && target.startsWith(PREFIX);
}

/** One exchange of `/v1/…`, under the same rules as the endpoints for inference. Errors are thrown; the caller answers them. */
export async function handleOpenai(context: ServerContext, target: string, exchange: Exchange): Promise<void> {
  const path = target.split("?", 1)[0] ?? "";
  const endpoint = INFERENCE.get(path);
  if (endpoint !== undefined) {
    exchange.watch.route({ kind: endpoint.operation });
    admit(context, exchange, { category: "inference", method: "POST" });
    return infer(context, endpoint, exchange);
  }
  const match = /^\/v1\/models(?:\/(.+))?$/.exec(path);
  if (match === null) throw new NereidError("NOT_FOUND", `there is no '${path}' here`);
  exchange.watch.route({ kind: "openaiModels" });
  admit(context, exchange, { category: "metadata", method: "GET" });
  sendJson(exchange.response, JSON.stringify(describe(context, match[1])));
}

interface Rule {
  readonly category: RestrictedCategory;
  readonly method: string;
}

function admit({ options }: ServerContext, { request }: Exchange, { category, method }: Rule): void {
  checkRestricted(request.headers, category, options.restrictedApis);
  if (request.method !== method) throw new NereidError("METHOD_NOT_ALLOWED", `use ${method} here`);
}

async function infer(
  context: ServerContext,
  { kind, operation }: { readonly kind: OpenaiKind; readonly operation: string },
  exchange: Exchange,
): Promise<void> {
  const { request, response, share } = exchange;
  const startNs = context.clock.nowNs();
  const body = await readJsonObject({ request, share, limit: Math.min(BODY_LIMIT, context.options.httpMaxInputSize) });
  const name = modelName(body);
  exchange.watch.route({ kind: operation, model: name });
  const hold = await holdModel(context, name, response);
  try {
    const found = findModel(context, name, { kind, request });
    if (kind === "embedding") await handleEmbeddings(context, { found, body, startNs }, exchange);
    else await handleText(context, { kind, found, body, startNs }, exchange);
  } finally {
    hold?.release();
  }
}

function describe(context: ServerContext, encoded: string | undefined): object {
  const created = Math.floor(context.startedAtMs / 1000);
  const about = (id: string) => ({ id, object: "model", created, owned_by: context.options.id });
  if (encoded === undefined) return { object: "list", data: listModels(context).map(about) };
  const name = nameOf(encoded);
  if (!isServed(context, name)) throw unknownModel(name);
  return about(name);
}

function nameOf(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
