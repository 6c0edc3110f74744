import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { StreamLimit } from "@nereid/api";
import { createDatabase, type Database } from "@nereid/db";
import {
  createHistory,
  createSecretBox,
  type History,
  type NodeHubs,
  type SecretBox,
  systemClock,
} from "@nereid/services";
import { processEnv, type WebEnv } from "../env.ts";
import { type Auth, createAuth } from "./create-auth.ts";
import { logError } from "./log.ts";
import { createNodeHubs } from "./node-set.ts";
import { readOrCreateSecret } from "./secret-file.ts";

export interface Runtime {
  readonly env: WebEnv;
  readonly db: Database;
  readonly auth: Auth;
  /** The streams of seconds of all nodes. */
  readonly hubs: NodeHubs;
  /** Encrypts what the database keeps of other systems. */
  readonly secrets: SecretBox;
  readonly history: History;
  readonly streams: StreamLimit;
  /** Ends the streams of browsers when the process is to stop. */
  readonly shutdown: AbortController;
}

const KEY = Symbol.for("nereid.web.runtime");

function createRuntime(): Runtime {
  const env = processEnv();
  const db = createDatabase(env.databaseUrl);
  const hubs = createNodeHubs(env);
  const history = createHistory({
    db,
    clock: systemClock,
    pause: (ms, signal) => sleep(ms, undefined, { signal, ref: false }),
    onError: (error) => logError("history of the metrics", error),
  });
  const secret = readOrCreateSecret(join(env.stateDir, "auth-secret"));
  const auth = createAuth({ db, env, secret, clock: systemClock });
  const secrets = createSecretBox(secret, "secrets of other systems");
  return { env, db, auth, hubs, secrets, history, streams: new StreamLimit(), shutdown: new AbortController() };
}

/** The parts of this process, made at first use. On globalThis, because Next bundles routes and start-up separately. */
export function getRuntime(): Runtime {
  const holder = globalThis as { [KEY]?: Runtime };
  holder[KEY] ??= createRuntime();
  return holder[KEY];
}
