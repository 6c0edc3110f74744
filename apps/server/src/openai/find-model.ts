import type { IncomingMessage } from "node:http";
import { NereidError } from "@nereid/errors";
import type { ModelSpec } from "@nereid/inference-worker";
import { stickyOf } from "../handlers/infer.ts";
import type { ServerContext } from "../server-context.ts";
import { badParameter } from "./openai-error.ts";
import { type OpenaiKind, type OpenaiModel, openaiModel } from "./openai-model.ts";
import type { Body } from "./read-controls.ts";

export interface FoundModel {
  readonly name: string;
  readonly spec: ModelSpec;
  readonly model: OpenaiModel;
  readonly sticky: { readonly sticky?: string };
}

const ENDPOINTS: Readonly<Record<OpenaiKind, string>> = {
  chat: "/v1/chat/completions",
  completion: "/v1/completions",
  embedding: "/v1/embeddings",
};

export function modelName({ model }: Body): string {
  if (typeof model === "string" && model !== "") return model;
  throw badParameter("model", "'model' must be the name of a model; GET /v1/models lists them");
}

/** The version that would answer now. NOT_FOUND for an unknown model, INVALID_ARGUMENT for one that is not of this kind. */
export function findModel(
  context: ServerContext,
  name: string,
  want: { kind: OpenaiKind; request: IncomingMessage },
): FoundModel {
  const { kind, request } = want;
  const sticky = stickyOf(context, name, request);
  const { spec } = resolve(context, name, sticky);
  const model = openaiModel(spec, parameterOf(context, spec));
  if (model?.kinds.has(kind) === true) return { name, spec, model, sticky };
  const other =
    model === undefined ? "" : `; it is for ${[...model.kinds].map((able) => ENDPOINTS[able]).join(" and ")}`;
  throw badParameter(
    "model",
    `model '${name}' does not serve ${ENDPOINTS[kind]}${other} (docs/text-generation.md says what a model needs)`,
  );
}

/** Names of all ready models that are fit, sorted. */
export function listModels(context: ServerContext): readonly string[] {
  return context.manager.entries.flatMap(({ name }) => (isServed(context, name) ? [name] : [])).sort();
}

export function isServed(context: ServerContext, name: string): boolean {
  const entry = context.manager.entry(name);
  return [...(entry?.versions.values() ?? [])].some(
    ({ state, served }) =>
      state === "READY" &&
      served !== undefined &&
      openaiModel(served.spec, parameterOf(context, served.spec)) !== undefined,
  );
}

export function unknownModel(name: string): NereidError {
  return new NereidError(
    "NOT_FOUND",
    `the model '${name}' does not exist or is not loaded; GET /v1/models lists those that are`,
    {
      details: { param: "model", code: "model_not_found" },
    },
  );
}

function resolve(context: ServerContext, name: string, sticky: { readonly sticky?: string }) {
  try {
    return context.manager.resolve(name, undefined, { traffic: "peek", ...sticky });
  } catch (error) {
    if (NereidError.from(error).code === "NOT_FOUND") throw unknownModel(name);
    throw error;
  }
}

function parameterOf(context: ServerContext, { name, version }: ModelSpec): string | undefined {
  return context.manager.entry(name)?.versions.get(version)?.config?.parameters["openai"]?.stringValue;
}
