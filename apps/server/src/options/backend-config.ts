import { bad } from "./given-flags.ts";

/** Settings of backends: by backend, then by key. The empty backend has those for all. */
export type BackendConfig = ReadonlyMap<string, ReadonlyMap<string, string>>;

const DEFAULT_MAX_BATCH_SIZE = 4;

/** `[<backend>,]<key>=<value>`, each; `defaults` (of a server configuration file) give way to them. INVALID_ARGUMENT for another form. */
export function parseBackendConfig(texts: readonly string[], defaults: BackendConfig = new Map()): BackendConfig {
  const config = new Map<string, Map<string, string>>();
  for (const [backend, settings] of defaults) config.set(backend, new Map(settings));
  for (const text of texts) {
    const match = /^(?:([^,=]+),)?([^,=]+)=([\s\S]*)$/.exec(text);
    if (match === null)
      throw bad(
        "backend-config",
        `expected [<backend>,]<key>=<value>, such as python,shm-default-byte-size=67108864, got "${text}"`,
      );
    const [, backend = "", key = "", value = ""] = match;
    const settings = config.get(backend) ?? new Map<string, string>();
    settings.set(key, value);
    config.set(backend, settings);
  }
  return config;
}

/** `default-max-batch-size` of a backend, or else the one for all (default 4). INVALID_ARGUMENT when it is no whole number. */
export function defaultMaxBatchSize(config: BackendConfig, backend: string): number {
  const key = "default-max-batch-size";
  const text = config.get(backend)?.get(key) ?? config.get("")?.get(key);
  if (text === undefined) return DEFAULT_MAX_BATCH_SIZE;
  if (!/^\d{1,9}$/.test(text)) throw bad("backend-config", `${key} must be a whole number, got "${text}"`);
  return Number(text);
}
