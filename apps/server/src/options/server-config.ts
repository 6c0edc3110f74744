import { join } from "node:path";
import { NereidError } from "@nereid/errors";
import { type Diagnostic, type ModelDefaults, parseServerConfig } from "@nereid/model-config";
import type { BackendConfig } from "./backend-config.ts";
import { bad } from "./given-flags.ts";
import type { OptionNotice } from "./server-options.ts";

export interface ServerConfig {
  readonly models: ReadonlyMap<string, ModelDefaults>;
  readonly backends: BackendConfig;
  readonly notices: readonly OptionNotice[];
}

/** Text of a file; undefined when there is none. */
export type ReadText = (file: string) => string | undefined;

const FILE = "config.pbtxt";
const MOST_SHOWN = 5;

/**
 * Defaults of models and backends: from the file of `--server-config`, else from `config.pbtxt` at the root of each repository
 * that has one with `model_config_list` or `backend_config`. INVALID_ARGUMENT, with line and column, for what cannot be read.
 */
export function readServerConfig(
  from: { readonly file: string | undefined; readonly repositories: readonly string[] },
  read: ReadText,
): ServerConfig {
  const models = new Map<string, ModelDefaults>();
  const backends = new Map<string, Map<string, string>>();
  const notices: OptionNotice[] = [];
  const files = from.file === undefined ? from.repositories.map((root) => join(root, FILE)) : [from.file];
  for (const file of files) {
    const text = read(file);
    if (text === undefined) {
      if (from.file !== undefined) throw bad("server-config", `cannot read ${file}`);
      continue;
    }
    const parsed = parseServerConfig(text, { file });
    if (!parsed.recognised) {
      const why = "neither model_config_list nor backend_config is in it";
      if (from.file !== undefined) throw bad("server-config", `${file}: ${why}`);
      notices.push({
        option: file,
        text: `not read: ${why}. The configuration of a model belongs into <model>/${FILE}.`,
      });
      continue;
    }
    refuse(parsed.diagnostics, file);
    for (const { severity, line, column, message } of parsed.diagnostics) {
      if (severity !== "error") notices.push({ option: file, text: `${line}:${column}: ${message}` });
    }
    for (const [name, defaults] of parsed.models) if (!models.has(name)) models.set(name, defaults);
    for (const [backend, settings] of parsed.backends) {
      const known = backends.get(backend) ?? new Map<string, string>();
      for (const [key, value] of settings) if (!known.has(key)) known.set(key, value);
      backends.set(backend, known);
    }
  }
  return { models, backends, notices };
}

function refuse(diagnostics: readonly Diagnostic[], file: string): void {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const shown = errors.slice(0, MOST_SHOWN).map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  const more = errors.length > shown.length ? ` (and ${errors.length - shown.length} more)` : "";
  throw new NereidError("INVALID_ARGUMENT", `${shown.join("; ")}${more}`);
}
