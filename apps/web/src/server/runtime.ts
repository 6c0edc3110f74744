import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StreamLimit } from "@nereid/api";
import { createDatabase, type Database } from "@nereid/db";
import { MetricsHub, systemClock } from "@nereid/services";
import { processEnv, type WebEnv } from "../env.ts";
import { type Auth, createAuth } from "./create-auth.ts";
import { logError } from "./log.ts";
import { getNodeClient } from "./node-client.ts";
import { readOrCreateSecret } from "./secret-file.ts";

export interface Runtime {
  readonly env: WebEnv;
  readonly db: Database;
  readonly auth: Auth;
  readonly metrics: MetricsHub;
  readonly streams: StreamLimit;
  /** Ends the streams of browsers when the process is to stop. */
  readonly shutdown: AbortController;
}

const KEY = Symbol.for("nereid.web.runtime");

function createRuntime(): Runtime {
  const env = processEnv();
  const db = createDatabase(env.databaseUrl);
  const metrics = new MetricsHub({
    open: (options) => getNodeClient().buckets(options),
    clock: systemClock,
    pause: (ms, signal) => sleep(ms, undefined, { signal }),
    onError: (error) => logError("bucket stream of the data plane", error),
  });
  const secret = readOrCreateSecret(join(env.stateDir, "auth-secret"));
  const auth = createAuth({ db, env, secret, clock: systemClock });
  return { env, db, auth, metrics, streams: new StreamLimit(), shutdown: new AbortController() };
}

/** The parts of this process, made at first use. On globalThis, because Next bundles routes and start-up separately. */
export function getRuntime(): Runtime {
  const holder = globalThis as { [KEY]?: Runtime };
  holder[KEY] ??= createRuntime();
  return holder[KEY];
}
