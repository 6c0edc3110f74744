import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import type { ApiContext } from "@nereid/api";
import { systemClock } from "@nereid/services";
import { hashPassword } from "better-auth/crypto";
import { logError } from "./log.ts";
import { getNodeClient } from "./node-client.ts";
import { getRuntime } from "./runtime.ts";
import { findActor, type SessionFacts } from "./session.ts";

export interface RequestFacts {
  readonly headers: Headers;
  readonly session: SessionFacts;
}

/** The context of one HTTP request or one rendered page. */
export function createApiContext({ headers, session }: RequestFacts): ApiContext {
  const { db, env, metrics, shutdown, streams } = getRuntime();
  const requestId = randomUUID();
  return {
    ...session,
    streams,
    refreshActor: () => findActor(headers),
    base: { db, clock: systemClock, requestId },
    hashPassword,
    onSetupDone: () => rmSync(env.setupTokenFile, { force: true }),
    node: getNodeClient(),
    metrics,
    shutdown: shutdown.signal,
    logError: (error, path) => logError(`procedure ${path}`, error, { requestId }),
  };
}
