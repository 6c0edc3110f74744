import { NereidError } from "@nereid/errors";
import type { JsonNode } from "./json-document.ts";
import { objectOf } from "./json-schema.ts";
import { readSettings, settingError } from "./json-settings.ts";

/** What a `POST /v2/logging` changes; absent = stays as it is. */
export interface LogSettingsBody {
  readonly logInfo?: boolean;
  readonly logWarning?: boolean;
  readonly logError?: boolean;
  readonly logVerboseLevel?: number;
  readonly logFormat?: "default" | "ISO8601";
}

const SCHEMA = objectOf({
  log_file: "scalar",
  log_info: "scalar",
  log_warning: "scalar",
  log_error: "scalar",
  log_verbose_level: "scalar",
  log_format: "scalar",
});

/** Triton keeps the level in 32 bits. */
const MOST_VERBOSE = 2n ** 31n - 1n;

/**
 * Body of `POST /v2/logging` (http.md §13); null members and those of other names are passed over. UNSUPPORTED for a file,
 * UNAVAILABLE for an unknown format, INTERNAL for wrong types, wrong syntax and an empty body.
 */
export function parseLogSettingsBody(body: Uint8Array): LogSettingsBody {
  const members = readSettings(body, SCHEMA);
  const given = (name: string): Exclude<JsonNode, null> | undefined => members.get(name) ?? undefined;
  if (given("log_file") !== undefined)
    throw new NereidError("UNSUPPORTED", "log file location can not be updated through network protocol");
  const logInfo = boolean(given("log_info"), "log_info");
  const logWarning = boolean(given("log_warning"), "log_warning");
  const logError = boolean(given("log_error"), "log_error");
  const logVerboseLevel = unsigned(given("log_verbose_level"), "log_verbose_level");
  const logFormat = format(given("log_format"), "log_format");
  return {
    ...(logInfo !== undefined && { logInfo }),
    ...(logWarning !== undefined && { logWarning }),
    ...(logError !== undefined && { logError }),
    ...(logVerboseLevel !== undefined && { logVerboseLevel }),
    ...(logFormat !== undefined && { logFormat }),
  };
}

function boolean(node: JsonNode | undefined, setting: string): boolean | undefined {
  if (node === undefined || typeof node === "boolean") return node;
  throw settingError("boolean", setting);
}

function unsigned(node: JsonNode | undefined, setting: string): number | undefined {
  if (node === undefined) return undefined;
  if (typeof node === "bigint" && node >= 0n) return Number(node < MOST_VERBOSE ? node : MOST_VERBOSE);
  throw settingError("unsigned-integer", setting);
}

function format(node: JsonNode | undefined, setting: string): "default" | "ISO8601" | undefined {
  if (node === undefined || node === "default" || node === "ISO8601") return node;
  if (typeof node !== "string") throw settingError("string", setting);
  throw new NereidError("UNAVAILABLE", `invalid argument for --log_format, got: ${node}`);
}
