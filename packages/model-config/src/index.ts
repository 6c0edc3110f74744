/** The config.pbtxt language: reading, validating, completing, editing and printing model configurations. */
export { datatypeFromConfig, datatypeToConfig } from "./datatype.ts";
export {
  type DiagnosedConfig,
  type DiagnosedGraph,
  type DiagnosedTensor,
  diagnoseConfig,
} from "./diagnose/diagnose-config.ts";
export { type SchemaField, schemaField, schemaFields } from "./diagnose/schema-fields.ts";
export {
  applyEdits,
  DIAGNOSTIC_CODES,
  type Diagnostic,
  type DiagnosticCode,
  type Fix,
  hasErrors,
  type Severity,
  type SourceRange,
  type TextEdit,
} from "./diagnostic.ts";
export { editModelConfig } from "./edit/edit-model-config.ts";
export { formatModelConfig } from "./edit/format-model-config.ts";
export type { ConfigEdit } from "./edit/plan-edit.ts";
export { printModelConfig } from "./edit/print-model-config.ts";
export type { EditValue } from "./edit/render-value.ts";
export { type FillContext, fillModelConfig } from "./fill/fill-model-config.ts";
export * from "./gen/model_config_pb.ts";
export { dimsOf, type SchedulerKind, schedulerKind } from "./helpers.ts";
export { notHonoured } from "./honoured.ts";
export { changedFields } from "./json/changed-fields.ts";
export { configOverlay } from "./json/config-overlay.ts";
export { withInPlaceFieldsOf, withoutInPlaceFields } from "./json/in-place-fields.ts";
export { modelConfigFromJson } from "./json/model-config-from-json.ts";
export { modelConfigToJson } from "./json/model-config-to-json.ts";
export { checkAgainstOnnx } from "./onnx/check-against-onnx.ts";
export { completeFromOnnx, type OnnxCompletionOptions } from "./onnx/complete-from-onnx.ts";
export { modelDimsOf } from "./onnx/model-dims-of.ts";
export type { OnnxSignature, OnnxTensor } from "./onnx/onnx-signature.ts";
export { asDecoupled, completeFromScript, type ScriptSignature } from "./script/complete-from-script.ts";
export { applyModelDefaults } from "./server/apply-model-defaults.ts";
export { type ModelDefaults, type ParsedServerConfig, parseServerConfig } from "./server/parse-server-config.ts";
export { locate } from "./text/locate.ts";
export { matchLines } from "./text/match-lines.ts";
export { type ParsedModelConfig, parseModelConfig } from "./text/parse-model-config.ts";
export { MAX_CONFIG_LENGTH } from "./text/parse-tree.ts";
export type { ConfigDocument, FieldNode, ListNode, MessageNode, ScalarNode, ValueNode } from "./text/tree.ts";
export {
  type InstanceGroupContext,
  normalizeInstanceGroups,
  type PreferredInstanceGroup,
} from "./validate/normalize-instance-groups.ts";
export { type Gpu, type ValidationContext, validateModelConfig } from "./validate/validate-model-config.ts";
export { parseVersionDirectory, type VersionDirectory } from "./versions/parse-version-directory.ts";
export { plainVersion } from "./versions/plain-version.ts";
export { selectVersions, type VersionSelection } from "./versions/select-versions.ts";
