import { mkdir, mkdtemp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const CACHE = resolve(import.meta.dirname, "../../../../node_modules/.cache");

/** Makes a program that plain Node can run of a TypeScript file; answers its path, in a folder of its own. */
export async function bundleForNode(entry: string): Promise<string> {
  // Inside the repository: packages that stay outside the bundle are looked for from there.
  await mkdir(CACHE, { recursive: true });
  const outfile = join(await mkdtemp(join(CACHE, "nereid-test-")), "program.mjs");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["@prisma/*", "@libsql/*", "libsql", "pg"],
    logLevel: "error",
  });
  return outfile;
}
