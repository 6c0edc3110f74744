import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { type Diagnostic, NOWHERE, type SourceRange } from "../diagnostic.ts";
import { type ModelConfig, ModelConfigSchema } from "../gen/model_config_pb.ts";
import { LineIndex } from "../text/line-index.ts";
import { type JsonProblem, normalizeJson } from "./normalize-json.ts";

/**
 * Reads the `config` parameter of a load request (model-config.md §10): protobuf JSON with snake_case or lowerCamelCase
 * names, enums by name in any case or by number, 64-bit integers as number or string. Never throws.
 */
export function modelConfigFromJson(text: string): { config?: ModelConfig; diagnostics: Diagnostic[] } {
  let json: JsonValue;
  try {
    json = JSON.parse(text) as JsonValue;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      diagnostics: [
        {
          ...syntaxPosition(text, why),
          severity: "error",
          code: "json-syntax",
          message: `Invalid config override: ${why}`,
        },
      ],
    };
  }
  const problems: JsonProblem[] = [];
  try {
    const normalized = normalizeJson(json, ModelConfigSchema, problems);
    if (problems.length === 0) return { config: fromJson(ModelConfigSchema, normalized), diagnostics: [] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { diagnostics: [valueError({ path: "", message: why })] };
  }
  return { diagnostics: problems.map(valueError) };
}

function valueError({ path, message }: JsonProblem): Diagnostic {
  return {
    ...NOWHERE,
    severity: "error",
    code: "json-value",
    message: `Invalid config override: ${message}`,
    ...(path === "" ? {} : { path }),
  };
}

function syntaxPosition(text: string, why: string): SourceRange {
  const position = /position (\d+)/.exec(why)?.[1];
  // Without a position the engine reports the end of the input.
  const offset = position === undefined ? text.length : Number(position);
  return new LineIndex(text).range(offset, Math.min(offset + 1, text.length));
}
