/** For tests of other packages: a model, and what runs it. */
export { type Installed, installLlama } from "./install-llama.ts";
export { tinyGguf } from "./tiny-model.ts";
