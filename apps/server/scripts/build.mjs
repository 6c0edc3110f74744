// Bundles the server into one file; native packages and the runner stay outside.
import { build } from "esbuild";

await build({
  entryPoints: { server: "src/main.ts" },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["koffi", "onnxruntime-node", "@nereid/inference-worker/runner"],
  // pino is CommonJS inside and asks for Node's own modules at run time.
  banner: {
    js: 'import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);',
  },
  sourcemap: true,
  logLevel: "warning",
});
