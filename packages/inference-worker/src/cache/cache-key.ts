import { createHash } from "node:crypto";
import type { ModelSpec } from "../models/model-spec.ts";
import type { ValidRequest } from "../request/valid-request.ts";

/** What of a model makes its responses differ from those of another. */
export interface CacheSubject extends Pick<ModelSpec, "name" | "version"> {
  /** Changes when the files or the configuration of the version do: a reloaded model must not answer as it did before. */
  readonly contentKey?: string;
  /** A model that takes a batch as one sees no parameters. */
  readonly execution?: ModelSpec["execution"];
}

/**
 * What makes two requests the same for the response cache: model, version, its content, every input by name with its shape and bytes,
 * and the parameters that the backend sees. Triton's key has neither shapes nor parameters nor the content, and can answer with the
 * response to another question.
 */
export function cacheKey(subject: CacheSubject, request: Pick<ValidRequest, "inputs" | "parameters">): string {
  const hash = createHash("sha256");
  const put = (text: string) => hash.update(`${text.length}:`).update(text);
  put(subject.name);
  put(subject.version);
  put(subject.contentKey ?? "");
  const inputs = [...request.inputs].sort((a, b) => (a.spec.name < b.spec.name ? -1 : 1));
  put(String(inputs.length));
  for (const { spec: tensor, shape, bytes } of inputs) {
    put(tensor.name);
    put(shape.join("x"));
    hash.update(`${bytes.byteLength}:`).update(bytes);
  }
  if (subject.execution !== "batch") {
    for (const [name, value] of [...request.parameters].sort(([a], [b]) => (a < b ? -1 : 1))) {
      put(name);
      put(`${typeof value}:${value}`);
    }
  }
  return hash.digest("base64url");
}

/**
 * The specification with its content key. It is asked for at every request, because the models of an ensemble may change under it.
 */
export function withContentKey<S extends CacheSubject>(subject: S, keyOf: () => string): S & CacheSubject {
  return Object.defineProperty({ ...subject }, "contentKey", { enumerable: true, get: keyOf });
}

/** Of a model as it is served now. One that is not served fails the request that needs it, later and with its own words. */
export function contentKeyOf(find: () => CacheSubject): string {
  try {
    const { name, version, contentKey = "" } = find();
    return `${name}/${version}/${contentKey}`;
  } catch {
    return "";
  }
}
