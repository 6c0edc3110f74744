import type { NereidClient, ServerStatus } from "@nereid/client";

/** What `/v2` answers. */
export type ServerMetadata = Awaited<ReturnType<NereidClient["serverMetadata"]>>;

/** What a server says of itself; null where it does not say. */
export interface NodeFacts {
  readonly serverName: string;
  readonly version: string;
  /** Whether it takes requests: the answer of its readiness probe. */
  readonly ready: boolean;
  /** Whether somebody has taken it out of service while it goes on answering. */
  readonly draining: boolean | null;
  readonly controlMode: ServerStatus["controlMode"] | null;
  readonly repositories: readonly string[] | null;
  readonly startedAtMs: number | null;
  readonly cores: number | null;
  readonly extensions: readonly string[];
}

/** The facts of a server of ours. */
export function factsOfStatus(status: ServerStatus, { extensions }: ServerMetadata, ready: boolean): NodeFacts {
  const { name, version, controlMode, repositories, startedAtMs, cores, draining } = status;
  return {
    serverName: name,
    version,
    ready,
    draining: draining ?? false,
    controlMode,
    repositories,
    startedAtMs,
    cores,
    extensions,
  };
}

/** The facts of a server that speaks V2 and no more. */
export function factsOfMetadata({ name, version, extensions }: ServerMetadata, ready: boolean): NodeFacts {
  const unknown = { draining: null, controlMode: null, repositories: null, startedAtMs: null, cores: null };
  return { serverName: name, version, ready, extensions, ...unknown };
}
