// Bundles the bench with the child process that calls the engine directly, and the measurement of the dashboard with its processes.
import { build } from "esbuild";

await build({
  entryPoints: {
    bench: "src/bench/main.ts",
    direct: "src/bench/direct.ts",
    scale: "src/dashboard-scale/main.ts",
    "small-node": "src/dashboard-scale/node-main.ts",
    "scale-traffic": "src/dashboard-scale/traffic-main.ts",
  },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  external: ["onnxruntime-node", "mnist", "@playwright/test"],
  logLevel: "warning",
});
