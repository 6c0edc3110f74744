// Bundles the runner: one file for the process, one for an instance's thread of each backend. Native packages stay outside.
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Also used by `npm run dev`, which watches. */
export const options = {
  absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
  entryPoints: {
    runner: "src/runner/main.ts",
    "instance-thread": "src/runner/instance-thread.ts",
    "script-thread": "src/runner/script-thread.ts",
    "typescript-hooks": "src/runner/script/typescript-hooks.ts",
  },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["amaro", "koffi", "onnxruntime-node"],
  sourcemap: true,
  logLevel: "warning",
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await build(options);
