import { join } from "node:path";
import { build } from "esbuild";

/** Bundles a TypeScript file for a child process; returns the bundle's path. */
export async function bundleChild(entry: string, directory: string): Promise<string> {
  const outfile = join(directory, "child.mjs");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    banner: {
      js: 'import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);',
    },
  });
  return outfile;
}
