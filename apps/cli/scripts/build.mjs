// Bundles the command line.
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Also used by `npm run dev`, which watches. */
export const options = {
  absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
  entryPoints: {
    nereid: "src/main.ts",
    dev: "src/dev.ts",
    "doctor-probe": "src/doctor/probe.ts",
    "perf-generator": "src/perf/generator.ts",
    lab: "src/lab/lab-main.ts",
  },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // The upload library is CommonJS and asks for Node's own modules by require.
  banner: {
    js: 'import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);',
  },
  sourcemap: true,
  logLevel: "warning",
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await build(options);
