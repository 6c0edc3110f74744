import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { context } from "esbuild";
import { root } from "../lib.mjs";

const PACKAGES = ["packages/inference-worker", "apps/server", "apps/cli"];

/**
 * Bundles everything once, then again at each change; the options are those of each package's own build. `onChange` is
 * told the package when a later build came out different; one that failed is printed and changes nothing.
 */
export async function watchBundles(onChange) {
  const contexts = await Promise.all(PACKAGES.map((path) => watched(path, onChange)));
  for (const { build } of contexts) await build.watch();
  await Promise.all(contexts.map(({ first }) => first));
  return () => Promise.all(contexts.map(({ build }) => build.dispose()));
}

async function watched(path, onChange) {
  const { options } = await import(pathToFileURL(join(root, path, "scripts/build.mjs")).href);
  let finished = () => {};
  const first = new Promise((resolve) => {
    finished = resolve;
  });
  const outputs = Object.keys(options.entryPoints).map((name) => join(root, path, options.outdir, `${name}.js`));
  let before;
  const report = {
    name: "report",
    setup(build) {
      build.onEnd(({ errors }) => {
        if (errors.length > 0) return;
        finished();
        // A file that was only touched, or had just been written when the watch began, gives the same bundle.
        const now = digestOf(outputs);
        if (before !== undefined && now !== before) onChange(path);
        before = now;
      });
    },
  };
  return { build: await context({ ...options, plugins: [...(options.plugins ?? []), report] }), first };
}

function digestOf(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex");
}
