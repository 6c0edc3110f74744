import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import type { ApiContext } from "@nereid/api";
import { systemClock } from "@nereid/services";
import { hashPassword } from "better-auth/crypto";
import { alertSending } from "./alerts.ts";
import { getHistoryReader } from "./history.ts";
import { logError } from "./log.ts";
import { managedNodes, nodeControl, requestedNode } from "./node-set.ts";
import { getRuntime } from "./runtime.ts";
import { findActor, type SessionFacts } from "./session.ts";

export interface RequestFacts {
  readonly headers: Headers;
  readonly session: SessionFacts;
  /** Address of the request, where it may name a node. */
  readonly url?: string;
}

/** The context of one HTTP request or one rendered page. */
export function createApiContext({ headers, session, url }: RequestFacts): ApiContext {
  const { db, env, shutdown, streams } = getRuntime();
  const requestId = randomUUID();
  return {
    ...session,
    streams,
    refreshActor: () => findActor(headers),
    base: { db, clock: systemClock, requestId },
    hashPassword,
    onSetupDone: () => rmSync(env.setupTokenFile, { force: true }),
    nodes: managedNodes(),
    nodeControl,
    nodeId: requestedNode({ headers, ...(url === undefined ? {} : { url }) }),
    history: getHistoryReader(),
    alerts: alertSending,
    shutdown: shutdown.signal,
    logError: (error, path) => logError(`procedure ${path}`, error, { requestId }),
  };
}
