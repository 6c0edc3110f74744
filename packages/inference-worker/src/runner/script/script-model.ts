import { realpathSync } from "node:fs";
import { NereidError } from "@nereid/errors";
import type { Datatype } from "@nereid/protocol";
import type { ModelSignature } from "../instance-service.ts";
import type { InstanceStart } from "../thread-messages.ts";
import { type Completion, completeConfig, outputDatatypes, readCompletion } from "./complete-config.ts";
import { loadScript } from "./load-script.ts";
import { describeThrown } from "./script-failure.ts";
import type { ScriptRequest } from "./script-request.ts";
import { type ScriptHost, scriptServices } from "./script-services.ts";
import type { Script, ScriptConfig, ScriptContext } from "./script-types.ts";

/** A script and the instance it runs in. */
export class ScriptModel {
  readonly signature: ModelSignature;
  readonly instanceName: string;
  /** Of the configured outputs, by name. */
  readonly datatypes: ReadonlyMap<string, Datatype>;
  readonly #script: Script;
  readonly #context: ScriptContext;
  #finalized = false;

  private constructor(script: Script, parts: { context: ScriptContext; completion: Completion }) {
    this.#script = script;
    this.#context = parts.context;
    this.instanceName = parts.context.instanceName;
    this.datatypes = outputDatatypes(parts.context.config);
    this.signature = {
      ...parts.completion,
      execution: "requests",
      ...(script.isReady !== undefined && { readiness: true }),
    };
  }

  /** Loads the script, lets the first instance complete the configuration, and initializes. INVALID_ARGUMENT says what failed. */
  static async load(start: InstanceStart, host: ScriptHost): Promise<ScriptModel> {
    const { model, instance, index, file } = start;
    if (model === undefined)
      throw new NereidError("INVALID_ARGUMENT", "the backend 'javascript' needs the model's description with 'load'");
    const directory = realpathSync(model.directory);
    const script = await loadScript(file, directory);
    const given = JSON.parse(model.config) as ScriptConfig;
    const complete = async () =>
      readCompletion(model.autoComplete === false ? undefined : await script.autoComplete?.(given));
    const completion: Completion = start.signature
      ? { ...start.signature, config: start.signature.config ?? {} }
      : await step(`auto-completion of model '${model.name}'`, directory, complete);
    const context: ScriptContext = {
      modelName: model.name,
      modelVersion: model.version,
      instanceName: instance?.name ?? `${model.name}_${index}`,
      kind: instance?.kind ?? "KIND_CPU",
      device: instance?.device ?? null,
      directory,
      config: completeConfig(given, completion),
      ...scriptServices(host),
    };
    await step(`initialization of instance '${context.instanceName}'`, directory, () => script.initialize?.(context));
    return new ScriptModel(script, { context, completion });
  }

  /** Whatever the script returns, or a promise of it. */
  execute(requests: readonly ScriptRequest[]): unknown {
    return this.#script.execute(requests, this.#context);
  }

  /** What clients are told when executing fails as a whole. */
  failure(thrown: unknown): string {
    return this.failureText(describeThrown(thrown, this.#context.directory));
  }

  failureText(text: string): string {
    return `Failed to process the request(s) for model instance '${this.instanceName}', message: ${text}`;
  }

  /** What the script says of its readiness; that it says nothing of the kind counts as ready. */
  async readiness(): Promise<{ readonly ready: boolean; readonly message?: string }> {
    try {
      return { ready: (await this.#script.isReady?.()) !== false };
    } catch (error) {
      return { ready: false, message: describeThrown(error, this.#context.directory) };
    }
  }

  /** Lets the script finish, once; an error there is only logged. */
  async finalize(): Promise<void> {
    if (this.#finalized) return;
    this.#finalized = true;
    try {
      await this.#script.finalize?.();
    } catch (error) {
      console.error(`finalize of instance '${this.instanceName}' failed: ${this.failure(error)}`);
    }
  }
}

async function step<T>(what: string, directory: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const text = error instanceof NereidError ? error.message : describeThrown(error, directory);
    throw new NereidError("INVALID_ARGUMENT", `${what} failed: ${text}`);
  }
}
