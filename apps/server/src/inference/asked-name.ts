import { NereidError } from "@nereid/errors";
import type { ModelSpec } from "@nereid/inference-worker";

const renamed = new WeakMap<ModelSpec, ModelSpec>();

/** What answers, under the name that was asked for: a client is not told that a candidate answers in its model's place. */
export function asAsked(spec: ModelSpec, model: string): ModelSpec {
  if (spec.name === model) return spec;
  const known = renamed.get(spec);
  if (known !== undefined) return known;
  const named = { ...spec, name: model };
  renamed.set(spec, named);
  return named;
}

/** The same of a failure's words. */
export function errorAsAsked(thrown: unknown, spec: ModelSpec, model: string): unknown {
  if (spec.name === model) return thrown;
  const { code, message, fix, details, retryAfterMs } = NereidError.from(thrown);
  return new NereidError(code, message.replaceAll(`'${spec.name}'`, `'${model}'`), {
    ...(fix !== undefined && { fix }),
    details,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    cause: thrown,
  });
}

/** What a look at a model told, as traffic is divided by it: a version, or `candidate/version`. */
export function toldBy(spec: ModelSpec, model: string): string {
  return spec.name === model ? spec.version : `${spec.name}/${spec.version}`;
}
