// Bundles the runner: one file for the process, one for an instance's thread. Native packages stay outside.
import { build } from "esbuild";

await build({
  entryPoints: { runner: "src/runner/main.ts", "instance-thread": "src/runner/instance-thread.ts" },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["koffi", "onnxruntime-node"],
  sourcemap: true,
  logLevel: "warning",
});
