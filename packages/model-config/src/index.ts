export { parseModelConfig, type ParsedModelConfig } from "./text/parse-model-config.ts";
