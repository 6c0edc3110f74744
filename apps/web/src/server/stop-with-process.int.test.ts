import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const ENTRY = join(import.meta.dirname, "../../.next/standalone/apps/web/server.js");

let stateDirectory: string;
let web: ChildProcess | undefined;
beforeEach(() => {
  stateDirectory = mkdtempSync(join(tmpdir(), "nereid-web-"));
});
afterEach(() => {
  web?.kill("SIGKILL");
  rmSync(stateDirectory, { recursive: true, force: true });
});

async function startWeb(env: Readonly<Record<string, string>>): Promise<{ web: ChildProcess; url: string }> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  await new Promise((resolve) => probe.close(resolve));
  const { DATABASE_URL: _database, ...inherited } = process.env;
  const child = spawn(process.execPath, [ENTRY], {
    cwd: dirname(ENTRY),
    stdio: ["pipe", "ignore", "ignore"],
    env: {
      ...inherited,
      NODE_ENV: "production",
      PORT: String(port),
      HOSTNAME: "127.0.0.1",
      NEREID_STATE_DIR: stateDirectory,
      NEREID_SERVER_URL: "http://127.0.0.1:9",
      ...env,
    },
  });
  web = child;
  const url = `http://127.0.0.1:${port}`;
  const healthy = () =>
    fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (child.exitCode === null && !(await healthy())) await sleep(100);
  return { web: child, url };
}

describe("the dashboard's process", () => {
  it("ends with code 0 on SIGTERM (it was 143)", async () => {
    const { web } = await startWeb({});
    web.kill("SIGTERM");
    expect(await once(web, "exit")).toEqual([0, null]);
  });

  it("ends when its launcher is gone, and only if told that it has one (it lived on and kept the port)", async () => {
    const { web } = await startWeb({ NEREID_EXIT_WITH_PARENT: "1" });
    web.stdin?.end();
    expect(await once(web, "exit")).toEqual([0, null]);
    const { web: alone, url } = await startWeb({});
    alone.stdin?.end();
    await sleep(500);
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
  });

  it("answers 401 to a stream without a session (it was 200 with an error in the stream)", async () => {
    const { url } = await startWeb({});
    const headers = { accept: "text/event-stream" };
    const answer = await fetch(`${url}/api/trpc/metrics.summaries`, { headers });
    expect([answer.status, await answer.json()]).toEqual([401, { error: "sign in to do this" }]);
  });
});
