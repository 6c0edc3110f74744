import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readEnv } from "../env.ts";
import type { SmallNodeProcess } from "./fleet.ts";

const ACCOUNT = { email: "scale@example.com", password: "a long enough password" };
const LONGEST_START_MS = 90_000;

export interface Dashboard {
  readonly url: string;
  readonly pid: number;
  readonly account: typeof ACCOUNT;
  stop(): Promise<void>;
}

/** The built web process with an empty database, the first node as its local one and the others added over its REST API. */
export async function startDashboard(root: string, nodes: readonly SmallNodeProcess[]): Promise<Dashboard> {
  const [local, ...others] = nodes;
  if (local === undefined) throw new Error("a dashboard needs a node");
  const state = mkdtempSync(join(tmpdir(), "nereid-scale-"));
  const entry = join(root, "apps/web/.next/standalone/apps/web/server.js");
  const port = await freePort();
  const { DATABASE_URL: _database, NEREID_SERVER_KEY: _key, ...env } = readEnv();
  // As the launcher starts it.
  const child = spawn(process.execPath, ["--max-old-space-size=1024", entry], {
    cwd: dirname(entry),
    stdio: ["pipe", "ignore", "inherit"],
    env: {
      ...env,
      NODE_ENV: "production",
      PORT: String(port),
      HOSTNAME: "127.0.0.1",
      NEREID_STATE_DIR: state,
      NEREID_SERVER_URL: local.url,
      NEREID_ADMIN_EMAIL: ACCOUNT.email,
      NEREID_ADMIN_PASSWORD: ACCOUNT.password,
      NEREID_EXIT_WITH_PARENT: "1",
      NEXT_TELEMETRY_DISABLED: "1",
    },
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
    rmSync(state, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await healthy(url, () => child.exitCode !== null);
    await addNodes(url, others);
    return { url, pid: child.pid ?? 0, account: ACCOUNT, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function healthy(url: string, ended: () => boolean): Promise<void> {
  const deadline = Date.now() + LONGEST_START_MS;
  for (;;) {
    const answer = await fetch(`${url}/api/health`).catch(() => undefined);
    if (answer?.ok === true) return;
    if (ended() || Date.now() > deadline) throw new Error("the dashboard did not start");
    await sleep(100);
  }
}

async function addNodes(url: string, nodes: readonly SmallNodeProcess[]): Promise<void> {
  const post = async (path: string, body: unknown, cookie = "") => {
    const headers = { origin: url, "content-type": "application/json", cookie };
    const answer = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const signedIn = await post("/api/auth/sign-in/email", ACCOUNT);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  for (const { name, url: address } of nodes)
    await post("/api/v1/nodes", { name, kind: "nereid", url: address }, cookie);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
