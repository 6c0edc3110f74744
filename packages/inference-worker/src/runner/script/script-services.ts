import type { BufferOf } from "../place-outputs.ts";
import type { CallClient } from "./call-client.ts";
import { ScriptCalls } from "./script-calls.ts";
import { scriptMetric } from "./script-metrics.ts";
import type { ScriptContext } from "./script-types.ts";

export interface ScriptHost {
  readonly calls: CallClient;
  readonly bufferOf: BufferOf;
}

type Services = Pick<ScriptContext, "log" | "infer" | "stream" | "isReady" | "load" | "unload" | "metric">;

/** What the server does for a script, as it sees it. */
export function scriptServices({ calls, bufferOf }: ScriptHost): Services {
  const models = new ScriptCalls(calls, bufferOf);
  return {
    // What a process prints is in the verbose log anyway.
    log: (text, level = "VERBOSE") => (level === "VERBOSE" ? console.log(text) : calls.log(level, String(text))),
    infer: (call) => models.infer(call),
    stream: (call) => models.stream(call),
    isReady: async (model, version) =>
      (await calls.manage({
        action: "is-ready",
        model,
        ...(version !== undefined && { version: String(version) }),
      })) === true,
    load: async (model, { config, files } = {}) => {
      const text = typeof config === "object" ? JSON.stringify(config) : config;
      const encoded = Object.entries(files ?? {}).map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")]);
      await calls.manage({
        action: "load",
        model,
        ...(text !== undefined && { config: text }),
        ...(encoded.length > 0 && { files: Object.fromEntries(encoded) }),
      });
    },
    unload: async (model, { dependents = false } = {}) => {
      await calls.manage({ action: "unload", model, unloadDependents: dependents });
    },
    metric: (family) => scriptMetric(calls, family),
  };
}
