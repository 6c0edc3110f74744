import { NereidError } from "@nereid/errors";
import type { CallOptions } from "./client-types.ts";
import type { HttpTransport, TransportAnswer, TransportRequest } from "./http-transport.ts";
import type { ModelWarning } from "./management-types.ts";
import type {
  ApplyConfig,
  ConfigApplied,
  ConfigCheck,
  Draft,
  DraftPatch,
  ModelConfigState,
  NewDraft,
  PublishDraft,
  PublishedDraft,
  VersionFiles,
} from "./repository-types.ts";

/** A load may take minutes; the server has limits of its own. */
const SLOW_CALL_MS = 290_000;
/** Hashing gigabytes that nobody has looked at yet. */
const HASHING_MS = 120_000;

/** The calls that change what lies in a server's model repository. A real Triton does not have them (NOT_FOUND). */
export abstract class RepositoryCalls {
  protected abstract readonly transport: HttpTransport;

  /** Text, digest, completed form and graph of a model's configuration. */
  modelConfigState(model: string, options: CallOptions = {}): Promise<ModelConfigState> {
    return this.#json("GET", `${modelBase(model)}/config`, { ...options });
  }

  /** What the server thinks of a configuration text, without writing it. */
  checkConfig(model: string, text: string, options: CallOptions = {}): Promise<ConfigCheck> {
    return this.#json("POST", `${modelBase(model)}/config/check`, { ...options, body: { text } });
  }

  /** Writes a configuration and reloads. CONFLICT when the file changed meanwhile; a failed load puts the old one back. */
  applyConfig(model: string, input: ApplyConfig, options: CallOptions = {}): Promise<ConfigApplied> {
    return this.#json("PUT", `${modelBase(model)}/config`, { timeoutMs: SLOW_CALL_MS, ...options, body: input });
  }

  /** Versions as they lie on disk, newest first, with the hashes of their files. */
  versionFiles(model: string, options: CallOptions = {}): Promise<VersionFiles[]> {
    return this.#json("GET", `${modelBase(model)}/versions`, { timeoutMs: HASHING_MS, ...options });
  }

  /** Serves exactly these versions from now on, also after a restart; null = what the version policy says. */
  async pinVersions(
    model: string,
    versions: readonly string[] | null,
    options: CallOptions = {},
  ): Promise<ModelWarning[]> {
    return this.#warnings("PUT", `${modelBase(model)}/pin`, {
      timeoutMs: SLOW_CALL_MS,
      ...options,
      body: { versions },
    });
  }

  /** Serves this version beside those that are served. */
  async loadVersion(model: string, version: string, options: CallOptions = {}): Promise<ModelWarning[]> {
    return this.#warnings("POST", `${versionBase(model, version)}/load`, { timeoutMs: SLOW_CALL_MS, ...options });
  }

  /** Stops serving this version and goes on with the others. */
  async unloadVersion(model: string, version: string, options: CallOptions = {}): Promise<ModelWarning[]> {
    return this.#warnings("POST", `${versionBase(model, version)}/unload`, { timeoutMs: SLOW_CALL_MS, ...options });
  }

  /** Removes the files of a version. CONFLICT while it is served. */
  async deleteVersion(model: string, version: string, options: CallOptions = {}): Promise<void> {
    await this.#send("DELETE", versionBase(model, version), options);
  }

  /** Removes a model with all its versions. CONFLICT while one is served. */
  async deleteModel(model: string, options: CallOptions = {}): Promise<void> {
    await this.#send("DELETE", modelBase(model), options);
  }

  /** The files of a version as a tar stream. */
  versionArchive(model: string, version: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const path = `${versionBase(model, version)}/archive`;
    return this.transport.open({ method: "GET", path, ...(signal === undefined ? {} : { signal }) });
  }

  drafts(options: CallOptions = {}): Promise<Draft[]> {
    return this.#json("GET", "/nereid/v1/drafts", { ...options });
  }

  draft(id: string, options: CallOptions = {}): Promise<Draft> {
    return this.#json("GET", draftBase(id), { ...options });
  }

  /** Opens a place for uploads; files follow by tus at `/nereid/v1/uploads`. */
  openDraft(input: NewDraft, options: CallOptions = {}): Promise<Draft> {
    return this.#json("POST", "/nereid/v1/drafts", { ...options, body: input });
  }

  editDraft(id: string, patch: DraftPatch, options: CallOptions = {}): Promise<Draft> {
    return this.#json("PATCH", draftBase(id), { ...options, body: patch });
  }

  /** Starts the check and returns at once; ask for the draft until its state is `ready` or `refused`. */
  checkDraft(id: string, options: CallOptions = {}): Promise<Draft> {
    return this.#json("POST", `${draftBase(id)}/check`, { ...options });
  }

  /** Puts the files in place in one step. CONFLICT when the check is missing or out of date. */
  publishDraft(id: string, input: PublishDraft, options: CallOptions = {}): Promise<PublishedDraft> {
    return this.#json("POST", `${draftBase(id)}/publish`, { timeoutMs: SLOW_CALL_MS, ...options, body: input });
  }

  async discardDraft(id: string, options: CallOptions = {}): Promise<void> {
    await this.#send("DELETE", draftBase(id), options);
  }

  async #warnings(method: Method, path: string, options: SendOptions): Promise<ModelWarning[]> {
    return (await this.#json<{ warnings: ModelWarning[] }>(method, path, options)).warnings;
  }

  async #json<T>(method: Method, path: string, options: SendOptions): Promise<T> {
    return parseJson<T>(await this.#send(method, path, options));
  }

  #send(method: Method, path: string, { body, signal, timeoutMs }: SendOptions): Promise<TransportAnswer> {
    return this.transport.call({
      method,
      path,
      ...(signal === undefined ? {} : { signal }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  }
}

type Method = TransportRequest["method"];

interface SendOptions extends CallOptions {
  readonly body?: unknown;
}

function modelBase(model: string): string {
  return `/nereid/v1/models/${encodeURIComponent(model)}`;
}

function versionBase(model: string, version: string): string {
  return `${modelBase(model)}/versions/${encodeURIComponent(version)}`;
}

function draftBase(id: string): string {
  return `/nereid/v1/drafts/${encodeURIComponent(id)}`;
}

/** The answer as JSON; INTERNAL when it is not. */
export function parseJson<T>(answer: TransportAnswer): T {
  try {
    return JSON.parse(new TextDecoder().decode(answer.body)) as T;
  } catch (cause) {
    throw new NereidError("INTERNAL", "the server's answer is not JSON", {
      fix: "check that the address is a Nereid or Triton HTTP port",
      cause,
    });
  }
}
