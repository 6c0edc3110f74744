import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../testing/free-port.ts";

const ENTRY = join(import.meta.dirname, "../../dist/nereid.js");
const MODEL = join(import.meta.dirname, "../../../../model_repo/mnist");
const { DATABASE_URL: _database, ...env } = process.env;

let directory: string;
let state: string;
let models: string;
let file: string;
const launchers: ChildProcess[] = [];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "nereid-up-"));
  [state, models, file] = [join(directory, "state"), join(directory, "models"), join(directory, "file")];
  mkdirSync(models);
  writeFileSync(file, "");
});
afterEach(async () => {
  for (const launcher of launchers.splice(0)) {
    if (launcher.exitCode !== null || launcher.signalCode !== null) continue;
    launcher.kill("SIGTERM");
    await once(launcher, "exit");
  }
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function start(...more: string[]) {
  const ports = {
    http: await freePort(),
    grpc: await freePort(),
    metrics: await freePort(),
    web: await freePort(),
  };
  const options = Object.entries(ports).map(([name, port]) => `--${name}-port=${port}`);
  const launcher = spawn(
    process.execPath,
    [ENTRY, "up", ...options, `--model-repository=${models}`, `--state-dir=${state}`, ...more],
    { env, stdio: ["ignore", "pipe", "pipe"] },
  );
  launchers.push(launcher);
  let output = "";
  for (const stream of [launcher.stdout, launcher.stderr]) stream.on("data", (data) => (output += String(data)));
  const text = () => output;
  while (launcher.exitCode === null && !output.includes("Ctrl-C stops")) await sleep(50);
  return { launcher, ports, text };
}

const json = (origin: string, cookie: string) => ({ "content-type": "application/json", origin, cookie });

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/`, { redirect: "manual" }).then(
    () => true,
    () => false,
  );

describe("nereid up refuses before it starts or creates anything", () => {
  it.each([
    [
      "a repository that is not there",
      () => ["--model-repository=./no/such"],
      /--model-repository: \/.*\/no\/such does not exist/,
    ],
    ["a file as repository", () => [`--model-repository=${file}`], /--model-repository: .*file is not a directory/],
    ["a file as state directory", () => [`--state-dir=${file}`], /--state-dir: .*file is not a directory/],
    ["an option that nobody has", () => ["--no-such-option=1"], /unknown option --no-such-option=1/],
  ])("%s", (_what, args, message) => {
    const base = [ENTRY, "up", `--state-dir=${state}`, `--model-repository=${models}`];
    const { status, stderr } = spawnSync(process.execPath, [...base, ...args()], { env, encoding: "utf8" });
    expect(stderr).toMatch(message);
    expect(status).toBe(1);
    expect(existsSync(state)).toBe(false);
  });

  it("--help prints the launcher's options, then the server's, and creates nothing", () => {
    const { status, stdout } = spawnSync(process.execPath, [ENTRY, "up", `--state-dir=${state}`, "--help"], {
      env,
      encoding: "utf8",
    });
    expect(status).toBe(0);
    expect(stdout.indexOf("--web-port")).toBeGreaterThan(0);
    expect(stdout.indexOf("--exit-timeout-secs")).toBeGreaterThan(stdout.indexOf("--web-port"));
    expect(existsSync(state)).toBe(false);
  });
});

describe("nereid up", () => {
  it("shows why the server does not start", async () => {
    const { launcher, text } = await start("--exit-timeout-secs=soon");
    expect(launcher.exitCode).toBe(1);
    // The last of the output may come after the exit.
    await expect.poll(text).toContain("exit-timeout-secs");
  });

  it("a dashboard loads and unloads models whose names need quoting (it said it had, and had not)", async () => {
    const names = ["a b", "é", "per%cent", "<img src=x>"];
    for (const name of names) cpSync(join(MODEL, "1"), join(models, name, "1"), { recursive: true });
    const account = { email: "ada@example.com", password: "a long enough password" };
    const { ports, text } = await start();
    expect(text()).toContain("Nereid is ready");
    const web = `http://127.0.0.1:${ports.web}`;
    const post = (path: string, body: unknown, cookie = "") =>
      fetch(web + path, { method: "POST", headers: json(web, cookie), body: JSON.stringify(body) });
    const token = /setup\?token=(\S+)/.exec(text())?.[1];
    const redeemed = await post("/api/trpc/setup.redeem", { json: { token, name: "Ada", ...account } });
    expect(redeemed.status).toBe(200);
    const signedIn = await post("/api/auth/sign-in/email", account);
    const cookie = signedIn.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; ");
    for (const name of names) {
      const status = `http://127.0.0.1:${ports.http}/nereid/v1/models/${encodeURIComponent(name)}`;
      const states = async () =>
        ((await (await fetch(status)).json()) as { versions: { state: string }[] }).versions.map(({ state }) => state);
      expect(await states()).toEqual(["READY"]);
      expect((await post("/api/trpc/models.unload", { json: { name } }, cookie)).status).toBe(200);
      await expect.poll(states).toEqual(["UNAVAILABLE"]);
      expect((await post("/api/trpc/models.load", { json: { name } }, cookie)).status).toBe(200);
      expect(await states()).toEqual(["READY"]);
    }
    for (const name of names) rmSync(join(models, name), { recursive: true });
  });

  it("keeps its state private and a second launcher out; takes over when the first is killed, whose dashboard ends", async () => {
    rmSync(state, { recursive: true, force: true });
    mkdirSync(state, { mode: 0o755 });
    const first = await start();
    expect(first.text()).toContain("Nereid is ready");
    expect(statSync(state).mode & 0o777).toBe(0o700);
    const databases = readdirSync(state).filter((name) => name.startsWith("nereid.db"));
    expect(databases).toContain("nereid.db");
    for (const name of databases) expect(statSync(join(state, name)).mode & 0o777).toBe(0o600);

    const second = await start();
    expect(second.launcher.exitCode).toBe(1);
    expect(second.text()).toContain(`another nereid (pid ${first.launcher.pid}) is using`);
    expect(second.text()).toContain("--state-dir=");

    first.launcher.kill("SIGKILL");
    await once(first.launcher, "exit");
    await expect
      .poll(async () => (await answers(first.ports.web)) || (await answers(first.ports.http)), { timeout: 15_000 })
      .toBe(false);

    const third = await start();
    expect(third.text()).toContain("Nereid is ready");
    third.launcher.kill("SIGTERM");
    expect(await once(third.launcher, "exit")).toEqual([0, null]);
    expect(readdirSync(state)).not.toContain("nereid.lock");
  });
});
