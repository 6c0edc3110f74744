// Bundles and runs the authoring program: node scripts/author.mjs <model_repo>
import { spawnSync } from "node:child_process";
import { build } from "esbuild";

await build({
  entryPoints: ["src/author-demo-repository.ts"],
  outfile: "dist/author-demo-repository.js",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["mnist"],
  logLevel: "warning",
});
const run = spawnSync(process.execPath, ["dist/author-demo-repository.js", ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exit(run.status ?? 1);
