import type { Backend } from "./backend.ts";

/** Models written in JavaScript, each instance a thread of the server's own runner (docs/scripts.md). */
export const javascriptBackend: Backend = {
  name: "javascript",
  modelFiles: ["model.mjs", "model.js", "model.ts", "model.node"],
};
