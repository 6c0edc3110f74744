/** The editor of config.pbtxt: language, completion, documentation, findings, differences. */
export { type CompletionNames, completeConfig } from "./complete/complete-config.ts";
export { ConfigDiff, type ConfigDiffProps } from "./config-diff.tsx";
export { ConfigEditor, type ConfigEditorHandle, type ConfigEditorProps } from "./config-editor.tsx";
export { describeField, type FieldDescription } from "./hover/describe-field.ts";
export { FIELD_DOCS, type FieldDoc } from "./hover/field-docs.ts";
export type { EditorFinding } from "./lint/lint-marks.ts";
