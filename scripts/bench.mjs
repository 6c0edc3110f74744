// npm run bench [-- --quick]: the numbers of the design, beside the engine called directly.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { bin, checkMachine, fail, quietEnv, root, run } from "./lib.mjs";

checkMachine();
const built = spawnSync(
  bin("turbo"),
  ["run", "build", "build:bench", "--filter=@nereid/server", "--filter=@nereid/perf", "--output-logs=errors-only"],
  { cwd: root, env: quietEnv, encoding: "utf8" },
);
if (built.status !== 0) fail(`the build failed:\n${built.stdout}${built.stderr}`);
process.exit(await run(process.execPath, [join(root, "packages/perf/dist/bench.js"), root, ...process.argv.slice(2)]));
