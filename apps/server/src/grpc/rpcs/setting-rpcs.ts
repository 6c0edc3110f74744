import { NereidError } from "@nereid/errors";
import {
  type LogSettingsRequest,
  LogSettingsRequestSchema,
  LogSettingsResponseSchema,
  type TraceSettingRequest,
  TraceSettingRequestSchema,
  TraceSettingResponseSchema,
} from "@nereid/grpc";
import { checkManagementKey } from "../../http/authorize.ts";
import type { LogSettingChange, LogSettingValues } from "../../logging/log-settings.ts";
import { type UnaryRpc, unary } from "../rpc.ts";

/** Settings of traces and logs (grpc.md §6); without settings the call only reads, and needs no management key. */
export const SETTING_RPCS: readonly UnaryRpc[] = [
  unary({
    name: "TraceSetting",
    category: "trace",
    request: TraceSettingRequestSchema,
    response: TraceSettingResponseSchema,
    serve: ({ server, headers }, request) => {
      const model = request.modelName === "" ? undefined : request.modelName;
      const change = traceChange(request);
      const { traceSettings } = server;
      if (change.size > 0) checkManagementKey(headers, server.options.managementKey);
      const settings = change.size === 0 ? traceSettings.view(model) : traceSettings.update(model, change);
      return { settings: Object.fromEntries([...settings].map(([name, value]) => [name, { value: [...value] }])) };
    },
  }),
  unary({
    name: "LogSettings",
    category: "logging",
    request: LogSettingsRequestSchema,
    response: LogSettingsResponseSchema,
    serve: ({ server, headers }, request) => {
      const change = logChange(request);
      const { logSettings } = server;
      if (Object.keys(change).length === 0) return logMessage(logSettings.get());
      checkManagementKey(headers, server.options.managementKey);
      return logMessage(logSettings.update(change));
    },
  }),
];

/** Settings that have one value. */
const SINGLE: ReadonlySet<string> = new Set(["trace_rate", "trace_count", "log_frequency"]);

/** The change a request asks for; keys that are no settings are ignored. */
export function traceChange({ settings }: TraceSettingRequest): ReadonlyMap<string, readonly string[]> {
  const change = new Map<string, readonly string[]>();
  for (const [name, { value }] of Object.entries(settings)) {
    if (name === "trace_file")
      throw new NereidError("UNSUPPORTED", "trace file location can not be updated through network protocol");
    if (SINGLE.has(name) && value.length > 1)
      throw new NereidError("INVALID_ARGUMENT", `expect only 1 value for '${name}'`);
    if (name === "trace_level" || SINGLE.has(name)) change.set(name, value);
  }
  return change;
}

const SWITCHES = { log_info: "logInfo", log_warning: "logWarning", log_error: "logError" } as const;

/** The change a request asks for. INVALID_ARGUMENT and UNSUPPORTED with Triton's texts. */
export function logChange({ settings }: LogSettingsRequest): LogSettingChange {
  let change: LogSettingChange = {};
  for (const [name, { parameterChoice: choice }] of Object.entries(settings)) {
    if (name === "log_file")
      throw new NereidError("UNSUPPORTED", "log file location can not be updated through network protocol");
    if (name === "log_info" || name === "log_warning" || name === "log_error") {
      if (choice.case !== "boolParam") throw new NereidError("INVALID_ARGUMENT", `expect boolean for '${name}'`);
      change = { ...change, [SWITCHES[name]]: choice.value };
    } else if (name === "log_verbose_level") {
      if (choice.case !== "uint32Param") throw new NereidError("INVALID_ARGUMENT", `expect int32 for '${name}'`);
      change = { ...change, logVerboseLevel: choice.value };
    } else if (name === "log_format") {
      if (choice.case !== "stringParam") throw new NereidError("INVALID_ARGUMENT", `expect string for '${name}'`);
      const { value } = choice;
      if (value !== "default" && value !== "ISO8601")
        throw new NereidError("INVALID_ARGUMENT", `invalid argument for log_format, got: ${value}`);
      change = { ...change, logFormat: value };
    }
  }
  return change;
}

function logMessage(values: LogSettingValues) {
  const text = (value: string) => ({ parameterChoice: { case: "stringParam" as const, value } });
  const flag = (value: boolean) => ({ parameterChoice: { case: "boolParam" as const, value } });
  return {
    settings: {
      log_file: text(values.logFile),
      log_info: flag(values.logInfo),
      log_warning: flag(values.logWarning),
      log_error: flag(values.logError),
      log_verbose_level: { parameterChoice: { case: "uint32Param" as const, value: values.logVerboseLevel } },
      log_format: text(values.logFormat),
    },
  };
}
