import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Starts the whole product as `npm start` does, on free ports with an empty state directory; returns how to end it. */
export default async function startProduct(): Promise<() => Promise<void>> {
  const root = join(import.meta.dirname, "..");
  const directory = mkdtempSync(join(tmpdir(), "nereid-e2e-"));
  const models = join(directory, "models");
  cpSync(join(root, "model_repo"), models, { recursive: true });
  const [http, grpc, metrics, web] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const { NEREID_ADMIN_EMAIL: _email, NEREID_ADMIN_PASSWORD: _password, DATABASE_URL: _database, ...env } = process.env;
  const child = spawn(
    process.execPath,
    [
      join(root, "apps/cli/dist/nereid.js"),
      "up",
      `--http-port=${http}`,
      `--grpc-port=${grpc}`,
      `--metrics-port=${metrics}`,
      `--web-port=${web}`,
      `--model-repository=${models}`,
      `--state-dir=${join(directory, "state")}`,
    ],
    { stdio: ["ignore", "pipe", "inherit"], env },
  );
  const setupUrl = await untilReady(child);
  process.env["E2E_WEB"] = `http://127.0.0.1:${web}`;
  process.env["E2E_SERVER"] = `http://127.0.0.1:${http}`;
  process.env["E2E_SETUP_URL"] = setupUrl;
  process.env["E2E_MODELS"] = models;
  process.env["E2E_ADMIN_STATE"] = join(directory, "admin.json");
  return async () => {
    const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill("SIGTERM");
    await exited;
    rmSync(directory, { recursive: true, force: true });
  };
}

/** Resolves with the set-up link once the launcher has printed its last line. */
function untilReady(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const { stdout } = child;
    if (stdout === null) return reject(new Error("the launcher has no output"));
    const lines: string[] = [];
    child.once("exit", (code) => reject(new Error(`the launcher ended with code ${code}:\n${lines.join("\n")}`)));
    createInterface({ input: stdout }).on("line", (line) => {
      lines.push(line);
      if (!line.includes("Ctrl-C stops")) return;
      const link = lines
        .map((text) => /http\S+\/setup\?token=\S+/.exec(text)?.[0])
        .find((found) => found !== undefined);
      if (link === undefined) reject(new Error(`the launcher printed no set-up link:\n${lines.join("\n")}`));
      else resolve(link);
    });
  });
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
