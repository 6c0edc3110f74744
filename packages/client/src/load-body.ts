import type { LoadModelOptions } from "./client-types.ts";

/** Body of a load call: config as JSON text, files as base64; undefined when there is nothing to override. */
export function loadBody(options: LoadModelOptions): string | undefined {
  const parameters: Record<string, string> = {};
  const { config, files } = options;
  if (config !== undefined) parameters["config"] = typeof config === "string" ? config : JSON.stringify(config);
  for (const [path, content] of Object.entries(files ?? {})) {
    parameters[`file:${path}`] = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64");
  }
  return Object.keys(parameters).length === 0 ? undefined : JSON.stringify({ parameters });
}
