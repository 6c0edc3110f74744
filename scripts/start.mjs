// npm start: builds what changed, then becomes the launcher.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildAll, checkMachine, root } from "./lib.mjs";

checkMachine();
const started = Date.now();
if (!existsSync(join(root, "apps/web/.next/standalone")))
  console.log("nereid: building, about a minute the first time …");
buildAll();
if (Date.now() - started > 10_000) console.log(`nereid: built in ${Math.round((Date.now() - started) / 1000)} s`);
process.argv.splice(2, 0, "up");
await import(join(root, "apps/cli/dist/nereid.js"));
