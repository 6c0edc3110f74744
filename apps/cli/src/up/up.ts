import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { privateDirectory } from "@nereid/db/private-files";
import { NereidError } from "@nereid/errors";
import { checkDirectories } from "./check-directories.ts";
import { checkPorts } from "./check-ports.ts";
import { Child } from "./child.ts";
import { managementKey, serverArguments } from "./server-arguments.ts";
import { checkPassedOn, serverEntry } from "./server-help.ts";
import { showServerLine } from "./show-server-line.ts";
import { lockState } from "./state-lock.ts";
import type { UpOptions } from "./up-options.ts";

export interface UpContext {
  readonly options: UpOptions;
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const HEALTH_EVERY_MS = 100;
const HEALTH_TIMEOUT_MS = 60_000;
/** Longer than the server's own exit time-out, so that it can drain. */
const GRACE_MS = 45_000;

/**
 * Starts the data plane and the dashboard, waits until both are ready, tells where they are, and stops them together. Resolves
 * with the exit code: 0 after a signal, 1 when one of them ended by itself.
 */
export async function up({ options, root, env }: UpContext): Promise<number> {
  checkDirectories(options);
  checkPassedOn(options.passedOn, root);
  await checkPorts(options);
  const problem = privateDirectory(options.stateDirectory);
  if (problem !== undefined) console.error(`nereid: ${problem}`);
  // Also when a second Ctrl-C cuts the stop short.
  process.once("exit", lockState(options.stateDirectory));
  const started = Date.now();
  const server = startServer({ options, root, env });
  const web = startWeb({ options, root, env });
  const children = [server, web];
  const stopped = stopOnSignal(children);
  try {
    await Promise.race([
      Promise.all([server.line((line) => line.startsWith('{"event":"ready"')), webReady(web, options)]),
      stopped.signalled,
    ]);
  } catch (error) {
    console.error(`nereid: ${NereidError.from(error).message}`);
    await stopAll(children);
    return 1;
  }
  if (!stopped.asked()) console.log(welcome(options, (Date.now() - started) / 1000));
  const first = await Promise.race([
    server.exited.then((how) => ({ name: "server", how })),
    web.exited.then((how) => ({ name: "dashboard", how })),
    stopped.signalled,
  ]);
  if (first !== undefined && !stopped.asked())
    console.error(
      `nereid: the ${first.name} ended (${first.how}); stopping the rest. Its log is in ${join(options.stateDirectory, "logs")}`,
    );
  await stopAll(children);
  return stopped.asked() ? 0 : 1;
}

function startServer({ options, root, env }: UpContext): Child {
  return new Child({
    name: "server",
    entry: serverEntry(root),
    args: serverArguments(options),
    env,
    cwd: root,
    logDirectory: join(options.stateDirectory, "logs"),
    show: showServerLine,
  });
}

/**
 * Drawn pages leave much behind. On a machine with much memory Node would let it lie until a gigabyte is full; what the dashboard holds
 * with 200 models on 20 nodes is a sixth of this.
 */
const WEB_NODE_ARGS = ["--max-old-space-size=1024"];

function startWeb({ options, root, env }: UpContext): Child {
  const key = managementKey(options, env);
  const entry = join(root, "apps/web/.next/standalone/apps/web/server.js");
  return new Child({
    name: "web",
    entry,
    nodeArgs: WEB_NODE_ARGS,
    args: [],
    env: {
      ...env,
      NODE_ENV: "production",
      PORT: String(options.webPort),
      HOSTNAME: options.webAddress,
      NEREID_STATE_DIR: options.stateDirectory,
      NEREID_SERVER_URL: `http://127.0.0.1:${options.httpPort}`,
      NEREID_LAB: join(root, "apps/cli/dist/lab.js"),
      NEXT_TELEMETRY_DISABLED: "1",
      ...(key !== undefined && { NEREID_SERVER_KEY: key }),
    },
    cwd: dirname(entry),
    logDirectory: join(options.stateDirectory, "logs"),
    show: () => undefined,
  });
}

async function webReady(web: Child, options: UpOptions): Promise<void> {
  const deadline = Date.now() + HEALTH_TIMEOUT_MS;
  while (web.alive) {
    const answer = await fetch(`http://127.0.0.1:${options.webPort}/api/health`, {
      signal: AbortSignal.timeout(2_000),
    }).catch(() => undefined);
    if (answer?.ok === true) return;
    if (Date.now() > deadline)
      throw new NereidError(
        "UNAVAILABLE",
        `the dashboard did not get ready within ${HEALTH_TIMEOUT_MS / 1000} s; see ${web.logFile}`,
      );
    await sleep(HEALTH_EVERY_MS);
  }
  throw new NereidError("UNAVAILABLE", `the dashboard ended while starting; see ${web.logFile}`);
}

function stopOnSignal(children: readonly Child[]) {
  let asked = false;
  let tell: (value: undefined) => void = () => undefined;
  const signalled = new Promise<undefined>((resolve) => {
    tell = resolve;
  });
  const onSignal = () => {
    if (asked) {
      for (const child of children) child.signal("SIGKILL");
      process.exit(130);
    }
    asked = true;
    console.log("\nStopping: requests in progress are finished first. Press Ctrl-C again to stop at once.");
    tell(undefined);
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return { asked: () => asked, signalled };
}

async function stopAll(children: readonly Child[]): Promise<void> {
  for (const child of children) child.signal("SIGTERM");
  const kill = setTimeout(() => {
    for (const child of children) child.signal("SIGKILL");
  }, GRACE_MS);
  await Promise.all(children.map((child) => child.exited));
  clearTimeout(kill);
}

function welcome(options: UpOptions, seconds: number): string {
  const host = options.webAddress === "0.0.0.0" ? "127.0.0.1" : options.webAddress;
  const dashboard = `http://${host}:${options.webPort}`;
  const token = setupToken(options);
  return [
    "",
    `  Nereid is ready (${seconds.toFixed(1)} s)`,
    "",
    `  Dashboard   ${dashboard}`,
    `  V2 HTTP     http://127.0.0.1:${options.httpPort}/v2`,
    `  V2 gRPC     127.0.0.1:${options.grpcPort}`,
    `  Metrics     http://127.0.0.1:${options.metricsPort}/metrics`,
    `  Models      ${options.modelRepositories.join(", ")}`,
    `  State       ${options.stateDirectory}`,
    ...(token === undefined ? [] : ["", "  First run: become admin at", `  ${dashboard}/setup?token=${token}`]),
    "",
    "  Ctrl-C stops.",
    "",
  ].join("\n");
}

function setupToken(options: UpOptions): string | undefined {
  const file = join(options.stateDirectory, "setup-token");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}
