// npm run dev [-- options of npm start]: the product from its sources. A change restarts the server or refreshes the page.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DevProcess } from "./dev/dev-process.mjs";
import { watchBundles } from "./dev/watch-bundles.mjs";
import { bin, checkMachine, fail, quietEnv, root } from "./lib.mjs";

/** Editors write several files at a time; one restart for all. */
const SETTLE_MS = 150;

checkMachine();
const generated = spawnSync(bin("turbo"), ["run", "generate", "--output-logs=errors-only"], {
  cwd: root,
  env: quietEnv,
  encoding: "utf8",
});
if (generated.status !== 0)
  fail(`the database clients could not be generated:\n${generated.stdout}${generated.stderr}`);

let settle;
let server;
let restarting = Promise.resolve();
const stopWatching = await watchBundles((path) => {
  // The command line is not running here; it is only kept fresh.
  if (path === "apps/cli") return;
  clearTimeout(settle);
  settle = setTimeout(() => {
    console.log(`dev: ${path} changed; restarting the server`);
    restarting = restarting.then(() => server?.restart());
  }, SETTLE_MS);
});

const shared = await import(pathToFileURL(join(root, "apps/cli/dist/dev.js")).href);
const options = readOptions();
mkdirSync(options.stateDirectory, { recursive: true, mode: 0o700 });
server = new DevProcess(serverPlan());
const web = new DevProcess(webPlan());
server.start();
web.start();
console.log(
  `dev: dashboard http://127.0.0.1:${options.webPort}, V2 HTTP http://127.0.0.1:${options.httpPort}/v2, Ctrl-C stops`,
);

let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, async () => {
    if (stopping) {
      for (const child of [server, web]) child.kill();
      process.exit(130);
    }
    stopping = true;
    clearTimeout(settle);
    await restarting;
    await Promise.all([server.stop(), web.stop(), stopWatching()]);
    process.exit(0);
  });
}

function readOptions() {
  try {
    return shared.parseUpOptions(process.argv.slice(2), process.env, root);
  } catch (error) {
    return fail(error.message);
  }
}

function serverPlan() {
  return {
    name: "the server",
    // A restart should not wait long for requests in progress.
    args: [join(root, "apps/server/dist/server.js"), "--exit-timeout-secs=5", ...shared.serverArguments(options)],
    cwd: root,
    env: { ...quietEnv, NEREID_EXIT_WITH_PARENT: "1" },
    show: (line) => (line.startsWith('{"event":"ready"') ? "dev: the server is ready" : shared.showServerLine(line)),
  };
}

function webPlan() {
  const cwd = join(root, "apps/web");
  const next = createRequire(join(cwd, "package.json")).resolve("next/dist/bin/next");
  const key = shared.managementKey(options, process.env);
  return {
    name: "the dashboard",
    args: [next, "dev", "--hostname", options.webAddress, "--port", String(options.webPort)],
    cwd,
    env: {
      ...quietEnv,
      NEREID_STATE_DIR: options.stateDirectory,
      NEREID_SERVER_URL: `http://127.0.0.1:${options.httpPort}`,
      NEREID_LAB: join(root, "apps/cli/dist/lab.js"),
      ...(key !== undefined && { NEREID_SERVER_KEY: key }),
    },
    show: (line) => (line.trim() === "" ? undefined : `web  ${line}`),
  };
}
