import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port.ts";

/** The built command line. */
export const ENTRY = join(import.meta.dirname, "../../dist/nereid.js");
const ACCOUNT = { email: "ada@example.com", password: "a long enough password" };
const LOOK_AGAIN_MS = 50;

export interface Product {
  readonly directory: string;
  readonly repository: string;
  /** Address of the dashboard. */
  readonly web: string;
  /** Address of the V2 HTTP port. */
  readonly server: string;
  /** Process ids of the dashboard and of the data plane. */
  readonly pids: { readonly web: number; readonly server: number };
  /** A key of the administrator with these permissions. */
  key(scopes: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

export const ALL_SCOPES = [
  "model.read",
  "model.load",
  "model.unload",
  "model.deploy",
  "model.configure",
  "model.delete",
  "metrics.read",
  "audit.read",
  "key.manage",
] as const;

/** Starts the whole product on free ports with an empty repository and an administrator, as `nereid up` does for people. */
export async function startProduct(): Promise<Product> {
  const directory = mkdtempSync(join(tmpdir(), "nereid-product-"));
  const repository = join(directory, "models");
  mkdirSync(repository);
  const ports = {
    http: await freePort(),
    grpc: await freePort(),
    metrics: await freePort(),
    web: await freePort(),
  };
  const options = Object.entries(ports).map(([name, port]) => `--${name}-port=${port}`);
  const launcher = spawn(
    process.execPath,
    [ENTRY, "up", ...options, `--model-repository=${repository}`, `--state-dir=${join(directory, "state")}`],
    { env: environment(), stdio: ["ignore", "pipe", "pipe"] },
  );
  const close = async () => {
    await stop(launcher);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await announced(launcher);
    const web = `http://127.0.0.1:${ports.web}`;
    const cookie = await signIn(web);
    return {
      directory,
      repository,
      web,
      server: `http://127.0.0.1:${ports.http}`,
      pids: childrenOf(launcher),
      key: (scopes) => makeKey(web, cookie, scopes),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function environment(): Record<string, string | undefined> {
  const { DATABASE_URL: _database, NEREID_API_KEY: _key, NEREID_URL: _url, ...env } = process.env;
  return { ...env, NEREID_ADMIN_EMAIL: ACCOUNT.email, NEREID_ADMIN_PASSWORD: ACCOUNT.password };
}

async function announced(launcher: ChildProcess): Promise<void> {
  let output = "";
  for (const stream of [launcher.stdout, launcher.stderr]) stream?.on("data", (data) => (output += String(data)));
  while (!output.includes("Ctrl-C stops")) {
    if (launcher.exitCode !== null) throw new Error(`nereid up ended with ${launcher.exitCode}:\n${output}`);
    await sleep(LOOK_AGAIN_MS);
  }
}

async function stop(launcher: ChildProcess): Promise<void> {
  if (launcher.exitCode !== null || launcher.signalCode !== null) return;
  launcher.kill("SIGTERM");
  await once(launcher, "exit");
}

async function signIn(web: string): Promise<string> {
  const response = await post(`${web}/api/auth/sign-in/email`, { origin: web }, ACCOUNT);
  return response.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
}

async function makeKey(web: string, cookie: string, scopes: readonly string[]): Promise<string> {
  const response = await post(
    `${web}/api/v1/keys`,
    { origin: web, cookie },
    { name: scopes.join(" ").slice(0, 50), scopes },
  );
  const { secret } = (await response.json()) as { secret: string };
  return secret;
}

async function post(url: string, headers: Record<string, string>, body: unknown): Promise<Response> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
  return response;
}

/** The two children of the launcher; the dashboard changes its own title, so it is the one that is not the data plane. */
function childrenOf({ pid = 0 }: ChildProcess): Product["pids"] {
  const children = readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" "))
    .filter((text) => text !== "")
    .map(Number);
  const isServer = (child: number) => readFileSync(`/proc/${child}/cmdline`, "utf8").includes("apps/server");
  const server = children.find(isServer);
  const web = children.find((child) => !isServer(child));
  if (server === undefined || web === undefined) throw new Error("the launcher does not have its two children");
  return { server, web };
}
