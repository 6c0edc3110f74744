import type { IncomingMessage, ServerResponse } from "node:http";
import { checkManagementKey } from "../http/authorize.ts";
import type { BodyShare } from "../http/body-budget.ts";
import { sendBuffer } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import type { ServerContext } from "../server-context.ts";
import { loadModel, unloadModel } from "./repository.ts";

export interface ControlTarget {
  readonly kind: "modelLoad" | "modelUnload";
  readonly model: string;
}

const EMPTY = Buffer.alloc(0);
/** A load request carries whole models in base64; no string of the engine's is longer. */
const LOAD_BODY_LIMIT = 2 ** 29 - 1024;
const LARGE_MODELS = "put larger models into the repository, or upload them over the management API";
/** Enough for the small objects that unload and index take. */
export const SMALL_BODY_LIMIT = 1 << 20;

/** Load and unload, by Triton's route or ours. Success has no body; warnings are in the header `nereid-warnings`. */
export async function handleControl(
  context: ServerContext,
  target: ControlTarget,
  exchange: { request: IncomingMessage; response: ServerResponse; share: BodyShare },
): Promise<void> {
  const { request, response, share } = exchange;
  checkManagementKey(request.headers, context.options.managementKey);
  const limit = target.kind === "modelLoad" ? LOAD_BODY_LIMIT : SMALL_BODY_LIMIT;
  const body = await readBody(request, { limit, share, ...(target.kind === "modelLoad" && { advice: LARGE_MODELS }) });
  const act = target.kind === "modelLoad" ? loadModel : unloadModel;
  const warnings = await act(context, target.model, body);
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (warnings.length > 0) headers["nereid-warnings"] = encodeURIComponent(JSON.stringify(warnings));
  sendBuffer(response, EMPTY, { status: 200, headers });
}
