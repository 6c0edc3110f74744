// Bundles the runner of text-generation models into one file. koffi stays outside; node-llama-cpp is found when a model is loaded.
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Also used by `npm run dev`, which watches. */
export const options = {
  absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
  entryPoints: { "llama-runner": "src/main.ts" },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["koffi"],
  sourcemap: true,
  logLevel: "warning",
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await build(options);
