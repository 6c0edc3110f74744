import { NereidError } from "@nereid/errors";
import { type PlanWarning, sortedVersions } from "@nereid/inference-worker";
import {
  type LoadBody,
  parseLoadBody,
  parseRepositoryIndexBody,
  parseUnloadBody,
  type RepositoryIndexEntry,
  repositoryIndexJson,
} from "@nereid/protocol";
import type { ServerContext } from "../server-context.ts";
import { refuseWhenNotReady } from "./health.ts";

const AMBIGUOUS = "model appears in two or more repositories";

/** Body of the repository index: every version ever asked for, and every other model of the repositories by name. */
export async function repositoryIndex(context: ServerContext, body: Uint8Array): Promise<string> {
  refuseWhenNotReady(context);
  const { ready } = parseRepositoryIndexBody(body);
  return repositoryIndexJson(await repositoryRows(context, ready));
}

/** Rows of the repository index; with `ready` only READY versions and ambiguous names. */
export async function repositoryRows(context: ServerContext, ready: boolean): Promise<RepositoryIndexEntry[]> {
  refuseWhenNotReady(context);
  const locations = new Map((await context.repository.list()).map((location) => [location.name, location]));
  const names = new Set([...locations.keys(), ...context.manager.entries.map(({ name }) => name)]);
  return [...names].sort().flatMap((name): RepositoryIndexEntry[] => {
    const location = locations.get(name);
    if (location?.kind === "ambiguous") {
      const row = { name, state: "UNAVAILABLE", reason: AMBIGUOUS } as const;
      if (!context.options.namespacing) return [row];
      return ready ? [] : location.directories.map(() => row);
    }
    const entry = context.manager.entry(name);
    if (entry === undefined || entry.versions.size === 0) {
      const failed = entry?.lastLoadError ?? "";
      return ready ? [] : [failed === "" ? { name } : { name, state: "UNAVAILABLE", reason: failed }];
    }
    return sortedVersions(entry)
      .filter(({ state }) => !ready || state === "READY")
      .map(({ version, state, reason, served }) => {
        const unwell = state === "READY" && served !== undefined && !served.ready;
        return { name, version, state: unwell ? "UNAVAILABLE" : state, reason: unwell ? served.reason : reason };
      });
  });
}

/** Loads a model and remembers that it is wanted. Returns the warnings of the load. */
export async function loadModel(
  context: ServerContext,
  name: string,
  body: Uint8Array,
): Promise<readonly PlanWarning[]> {
  refuseUnlessExplicit(context);
  return loadWith(context, name, parseLoadBody(body));
}

/** The same for a request that is read already. */
export async function loadWith(context: ServerContext, name: string, body: LoadBody): Promise<readonly PlanWarning[]> {
  refuseUnlessExplicit(context);
  return inLoadTurn(context, name, () => loadInTurn(context, name, body));
}

/** Runs what loads a model when other changes of it are done; until then the load is one that waits, and can be cancelled. */
export async function inLoadTurn<T>(
  { manager, turns }: ServerContext,
  name: string,
  load: () => Promise<T>,
): Promise<T> {
  const announced = manager.announce(name);
  try {
    return await turns.run(name, async () => {
      announced.begin();
      return load();
    });
  } finally {
    announced.end();
  }
}

async function loadInTurn(
  context: ServerContext,
  name: string,
  { config, files }: LoadBody,
): Promise<readonly PlanWarning[]> {
  const of = context.manager.entry(name)?.candidateOf;
  if (of !== undefined && !(await isInRepository(context, name))) {
    throw new NereidError("CONFLICT", `model '${name}' is a candidate of '${of}' and has no files of its own`, {
      fix: `POST /nereid/v1/models/${of}/candidates makes it anew`,
    });
  }
  // A configuration of the request's own brings its own version policy.
  const pin = config === undefined ? context.desired.pinOf(name) : undefined;
  const { warnings } = await context.manager.load(name, {
    ...(config !== undefined && { config }),
    ...(files.size > 0 && { files }),
    ...(pin !== undefined && { versions: pin }),
  });
  return [...warnings, ...unremembered(await context.desired.loaded(name))];
}

/** Unloads a model and remembers that it is not wanted; returns once no new request reaches it. Returns warnings. */
export async function unloadModel(
  context: ServerContext,
  name: string,
  body: Uint8Array,
): Promise<readonly PlanWarning[]> {
  refuseUnlessExplicit(context);
  return unloadNamed(context, name, parseUnloadBody(body).unloadDependents);
}

/** The same for a request that is read already. */
export async function unloadNamed(
  context: ServerContext,
  name: string,
  dependents = false,
): Promise<readonly PlanWarning[]> {
  refuseUnlessExplicit(context);
  return context.turns.run(name, () => unloadInTurn(context, name, dependents));
}

/** For callers that have the model's turn already. */
export async function unloadInTurn(
  context: ServerContext,
  name: string,
  dependents = false,
): Promise<readonly PlanWarning[]> {
  if (context.candidates.list().some((candidate) => candidate.name === name)) {
    await context.candidates.remove(name);
    return [];
  }
  const known = context.manager.entry(name) !== undefined || (await isInRepository(context, name));
  // Noted before: from the moment it is gone no request may bring it back.
  const noted = known ? context.desired.unloaded(name) : undefined;
  await context.manager.unload(name, dependents);
  return unremembered(await noted);
}

async function isInRepository(context: ServerContext, name: string): Promise<boolean> {
  return (await context.repository.list()).some((location) => location.name === name);
}

/** The model is as it was asked to be; only the next start will not know. */
export function unremembered(problem: string | undefined): readonly PlanWarning[] {
  return problem === undefined ? [] : [{ code: "not-remembered", message: problem }];
}

export function refuseUnlessExplicit(context: ServerContext): void {
  refuseWhenNotReady(context);
  if (context.options.controlMode !== "explicit") {
    throw new NereidError("UNAVAILABLE", "explicit model load / unload is not allowed if polling is enabled");
  }
}
