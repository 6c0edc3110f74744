// Not generated: sends the import of the generated files on to the package that has these classes, so that there is one of each.
export { file_model_config, type ModelConfig } from "@nereid/model-config";
