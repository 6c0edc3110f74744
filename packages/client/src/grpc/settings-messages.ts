import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LogSettingsRequestSchema, TraceSettingRequestSchema } from "@nereid/grpc";
import type { LogSettingsChange, TraceSettingsChange } from "../settings-types.ts";

/** A change of trace settings as a message: null becomes the empty list. */
export function traceRequest(
  change: TraceSettingsChange,
  model: string | undefined,
): MessageInitShape<typeof TraceSettingRequestSchema> {
  const settings = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, { value: listOf(value) }]));
  return { settings, modelName: model ?? "" };
}

function listOf(value: string | readonly string[] | null): string[] {
  if (value === null) return [];
  return typeof value === "string" ? [value] : [...value];
}

export function logRequest(change: LogSettingsChange): MessageInitShape<typeof LogSettingsRequestSchema> {
  const settings: Record<string, { parameterChoice: Choice }> = {};
  for (const [name, value] of Object.entries(change))
    if (value !== undefined) settings[name] = { parameterChoice: choice(value) };
  return { settings };
}

type Choice =
  | { case: "boolParam"; value: boolean }
  | { case: "uint32Param"; value: number }
  | { case: "stringParam"; value: string };

function choice(value: boolean | number | string): Choice {
  if (typeof value === "boolean") return { case: "boolParam", value };
  return typeof value === "number" ? { case: "uint32Param", value } : { case: "stringParam", value };
}
