// npm run scale [-- --minutes=30]: the dashboard with 200 models and 20 nodes, in a real browser. Needs a built product.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findChromium } from "./find-chromium.mjs";
import { bin, checkMachine, fail, quietEnv, root, run } from "./lib.mjs";

checkMachine();
const built = spawnSync(
  bin("turbo"),
  ["run", "build", "build:bench", "--filter=@nereid/web", "--filter=@nereid/perf", "--output-logs=errors-only"],
  { cwd: root, env: quietEnv, encoding: "utf8" },
);
if (built.status !== 0) fail(`the build failed:\n${built.stdout}${built.stderr}`);
const chromium = findChromium();
if (chromium === undefined) fail("no Chromium was found; name one with CHROMIUM_PATH=<file>");
const env = { ...quietEnv, CHROMIUM_PATH: chromium };
process.exit(
  await run(process.execPath, [join(root, "packages/perf/dist/scale.js"), root, ...process.argv.slice(2)], { env }),
);
