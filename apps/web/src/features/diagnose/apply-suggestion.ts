import { type ConfigEdit, editModelConfig, parseModelConfig } from "@nereid/model-config";
import type { DiagnosisReport } from "@nereid/services";

type Edit = NonNullable<DiagnosisReport["verdict"]["suggestion"]>["edits"][number];

/** The configuration with the edits made, comments and layout kept. Throws INVALID_ARGUMENT where it cannot take them. */
export function withEdits(text: string, edits: readonly Edit[]): string {
  const { document, config } = parseModelConfig(text);
  const hasGroups = (config?.instanceGroup.length ?? 0) > 0;
  return editModelConfig(
    document,
    edits.map((edit) => toConfigEdit(edit, hasGroups)),
  );
}

function toConfigEdit({ path, value }: Edit, hasGroups: boolean): ConfigEdit {
  if (value === null) return { op: "remove", path };
  const field = /^instance_group\[0\]\.(\w+)$/.exec(path)?.[1];
  // Without instance groups there is one by default, which has to be written down to be changed.
  if (field !== undefined && !hasGroups) return { op: "append", path: "instance_group", value: { [field]: value } };
  return { op: "set", path, value };
}
