// Bundles the server into one file; native packages and the runner stay outside.
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Also used by `npm run dev`, which watches. */
export const options = {
  absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
  entryPoints: { server: "src/main.ts" },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["koffi", "onnxruntime-node", "@nereid/inference-worker/runner", "@nereid/llama-runner/runner"],
  // pino is CommonJS inside and asks for Node's own modules at run time.
  banner: {
    js: 'import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);',
  },
  sourcemap: true,
  logLevel: "warning",
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await build(options);
