// Bundles the command line.
import { build } from "esbuild";

await build({
  entryPoints: { nereid: "src/main.ts" },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: true,
  logLevel: "warning",
});
