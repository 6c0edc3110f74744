/** What scripts/dev.mjs shares with `npm start`; bundled for it, because Node does not run TypeScript. */
export { managementKey, serverArguments } from "./up/server-arguments.ts";
export { showServerLine } from "./up/show-server-line.ts";
export { parseUpOptions } from "./up/up-options.ts";
