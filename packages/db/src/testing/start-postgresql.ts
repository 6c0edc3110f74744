import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { embeddedPostgresql } from "./embedded-postgresql.ts";

const SYSTEM = "/usr/lib/postgresql";
const PATIENCE_MS = 60_000;

/**
 * Starts a throw-away PostgreSQL, of the system's binaries or else of npm's, on a free port. It ends, and its files go, when this process does,
 * however that ends. Undefined where there are no binaries or none that may run here; the reason goes to stderr.
 */
export async function startPostgresql(answers: (url: string) => Promise<boolean>): Promise<string | undefined> {
  const binaries = findBinaries() ?? embeddedPostgresql();
  const user = findUser();
  if (binaries === undefined || user === undefined) return undefined;
  const directory = mkdtempSync(join(tmpdir(), "nereid-pg-"));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, "data");
  const init = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"];
  const made = spawnSync(join(binaries, "initdb"), init, { ...user, cwd: directory, encoding: "utf8" });
  if (made.status !== 0) {
    process.stderr.write(`initdb failed: ${made.stderr}\n`);
    return undefined;
  }
  const port = await freePort();
  // The shell waits for its standard input to end, which it does with this process, even a killed one.
  const server = `"$1/postgres" -D "$2/data" -h 127.0.0.1 -p ${port} -k "$2" -F -c max_connections=200 >/dev/null 2>&1 &`;
  const script = `${server} pid=$!; cat >/dev/null; kill -INT $pid; wait $pid; rm -rf "$2"`;
  const guard = spawn("/bin/sh", ["-c", script, "sh", binaries, directory], {
    ...user,
    cwd: directory,
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  // The pipe alone must not keep the process alive. A child's standard input is a socket.
  if ("unref" in guard.stdin && typeof guard.stdin.unref === "function") guard.stdin.unref();
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    if (await answers(url)) return url;
    await sleep(50);
  }
  process.stderr.write("the PostgreSQL of the tests did not come up\n");
  guard.stdin.end();
  return undefined;
}

function findBinaries(): string | undefined {
  const versions = existsSync(SYSTEM) ? readdirSync(SYSTEM).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(SYSTEM, version, "bin")), "/usr/local/bin", "/usr/bin"];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

/** PostgreSQL refuses to run as root; its own account is used then, or that of nobody. Undefined where there is neither. */
function findUser(): { uid?: number; gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {};
  const ask = (flag: string, name: string) => spawnSync("id", [flag, name], { encoding: "utf8" });
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = [ask("-u", name), ask("-g", name)];
    if (uid.status === 0 && gid.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  }
  return undefined;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
