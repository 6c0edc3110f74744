// Bundles the bench and the child process that calls the engine directly.
import { build } from "esbuild";

await build({
  entryPoints: { bench: "src/bench/main.ts", direct: "src/bench/direct.ts" },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["onnxruntime-node", "mnist"],
  logLevel: "warning",
});
