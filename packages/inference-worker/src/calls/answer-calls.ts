import { NereidError } from "@nereid/errors";
import type { CallDoneRequest, CallError, CallManageReply, MetricReply } from "../runner-protocol/call-messages.ts";
import type { Caller, ModelCalls } from "./model-calls.ts";

/** Longer ones are no model's, and do not belong into an error. */
const MOST_NAME = 1_024;
const ACTIONS: ReadonlySet<string> = new Set(["load", "unload", "is-ready"]);

/** Does what a `call-manage` asks for; never rejects. Without `calls` models may not. */
export async function answerManage(calls: ModelCalls | undefined, reply: CallManageReply): Promise<CallDoneRequest> {
  const { call, action, model, version, config, files } = reply;
  try {
    if (calls === undefined) throw new NereidError("UNSUPPORTED", "models cannot manage models here");
    if (typeof model !== "string" || !ACTIONS.has(action))
      throw new NereidError("INVALID_ARGUMENT", "a call that manages models names an action and a model");
    checkModelName(model);
    const ready = await calls.manage({
      action,
      model,
      version: version === undefined || version === "" ? undefined : String(version),
      config: config === undefined || config === "" ? undefined : String(config),
      files: new Map(Object.entries(files ?? {}).map(([path, text]) => [path, Buffer.from(String(text), "base64")])),
      unloadDependents: reply.unloadDependents === true,
    });
    return { type: "call-done", call, ...(ready !== undefined && { ready }) };
  } catch (error) {
    return { type: "call-done", call, error: callError(error) };
  }
}

/** Does what a `metric` asks for; never throws. */
export function answerMetric(
  calls: ModelCalls | undefined,
  caller: Caller,
  { type: _type, call, ...metric }: MetricReply,
): CallDoneRequest {
  try {
    if (calls === undefined) throw new NereidError("UNSUPPORTED", "models have no metrics of their own here");
    const value = calls.metric(caller, metric);
    return { type: "call-done", call, ...(value !== undefined && { value }) };
  } catch (error) {
    return { type: "call-done", call, error: callError(error) };
  }
}

/** INVALID_ARGUMENT for what cannot be the name of a model. */
export function checkModelName(model: string): void {
  if (model.length > MOST_NAME)
    throw new NereidError(
      "INVALID_ARGUMENT",
      `'${model.slice(0, 50)}…' is no model: names have at most ${MOST_NAME} characters`,
    );
}

export function callError(error: unknown): CallError {
  const { code, message } = NereidError.from(error);
  return { code, message };
}
