import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { applyMigrations } from "@nereid/db";
import { privateDirectory } from "@nereid/db/private-files";
import { NereidError } from "@nereid/errors";
import { chainOldRows, createFirstAdmin, createSetupToken, setupStatus, systemClock } from "@nereid/services";
import { hashPassword } from "better-auth/crypto";
import { processEnv, type WebEnv } from "../env.ts";
import { startAlerts, stopAlerts } from "./alerts.ts";
import { stampClientAddress } from "./client-address.ts";
import { startLab, stopLab } from "./lab.ts";
import { logInfo, logWarning } from "./log.ts";
import { refreshNodes } from "./node-set.ts";
import { keepRawUploads } from "./raw-uploads.ts";
import { startRollouts, stopRollouts } from "./rollouts.ts";
import { getRuntime } from "./runtime.ts";
import { readIfExists, writeSecret } from "./secret-file.ts";
import { stopWithProcess } from "./stop-with-process.ts";

/** Requests that take longer than this at shutdown are cut off. */
const LONGEST_STOP_MS = 8_000;

/** Where the migrations are: as told, beside the standalone server, or in the repository. */
function migrationsDir(env: WebEnv): string {
  const candidates = [env.migrationsDir, join(process.cwd(), "prisma"), join(env.appDir, "../../prisma")];
  const found = candidates.find((dir) => dir !== undefined && existsSync(join(dir, "sqlite/migrations")));
  if (found === undefined)
    throw new Error("no migrations found; set NEREID_MIGRATIONS_DIR to the folder called prisma");
  return found;
}

async function createAdminFromEnvironment(): Promise<void> {
  const { db, env } = getRuntime();
  if (env.firstAdmin === undefined || !(await setupStatus({ ctx: { db } })).needed) return;
  const ctx = { db, clock: systemClock, requestId: "start", hashPassword, via: "environment" } as const;
  const name = env.firstAdmin.email.split("@")[0] ?? env.firstAdmin.email;
  try {
    await createFirstAdmin({ ctx, input: { name, ...env.firstAdmin } });
    logInfo("created the first administrator from the environment", { email: env.firstAdmin.email });
  } catch (error) {
    // Another process that started at the same moment was faster.
    if (!(error instanceof NereidError && error.code === "CONFLICT")) {
      if ((await setupStatus({ ctx: { db } })).needed) throw error;
    }
  }
}

async function offerSetupToken(): Promise<void> {
  const { db, env } = getRuntime();
  const token = await createSetupToken({ ctx: { db }, input: { existing: readIfExists(env.setupTokenFile) } });
  if (token === undefined) {
    rmSync(env.setupTokenFile, { force: true });
    return;
  }
  writeSecret(env.setupTokenFile, token, { replace: true });
  logInfo("no administrator yet; open /setup?token=… with the token of this file", { file: env.setupTokenFile });
}

/** Open event streams would keep the server from closing. */
function endStreams(): void {
  const runtime = getRuntime();
  runtime.shutdown.abort();
  void stopAlerts();
  void stopRollouts();
  void stopLab();
  void runtime.history.stop();
  void runtime.hubs.stop();
}

/** Everything that has to be true before the first request: schema, first administrator, the stream of metrics. */
export async function start(): Promise<void> {
  const env = processEnv();
  stopWithProcess({ onStop: endStreams, longestMs: LONGEST_STOP_MS, exitWithParent: env.exitWithParent });
  stampClientAddress({ trustProxy: env.trustProxy });
  keepRawUploads();
  const problem = privateDirectory(env.stateDir);
  if (problem !== undefined) logWarning(problem);
  const applied = await applyMigrations({
    url: env.databaseUrl,
    prismaDirectory: migrationsDir(env),
    onWarning: logWarning,
  });
  if (applied.length > 0) logInfo("applied migrations", { applied });
  const runtime = getRuntime();
  const chained = await chainOldRows(runtime.db);
  if (chained > 0) logInfo("chained the audit rows of an older release", { rows: chained });
  await createAdminFromEnvironment();
  await offerSetupToken();
  await refreshNodes();
  runtime.hubs.start();
  startAlerts();
  startRollouts();
  startLab();
}
