import { NereidError } from "@nereid/errors";
import { type InstanceOrder, type InstanceState, type ServedVersion, sortedVersions } from "@nereid/inference-worker";
import { plainVersion } from "@nereid/model-config";
import type { ServerContext } from "../server-context.ts";
import { entryOf } from "./entry-of.ts";

const DEADLINE_MS = 30_000;
const LONGEST_DEADLINE_MS = 600_000;
const NS_PER_S = 1e9;

/** What the body of an order may say. */
export interface InstanceBody {
  /** Needed where several versions are served. */
  readonly version: string | undefined;
  readonly order: Omit<InstanceOrder, "action" | "index">;
}

/** Reads `{version?, force?, deadlineMs?}`. INVALID_ARGUMENT for anything else. */
export function instanceBody(body: Readonly<Record<string, unknown>>): InstanceBody {
  const { version, force = false, deadlineMs = DEADLINE_MS } = body;
  if (version !== undefined && (typeof version !== "string" || plainVersion(version) === undefined))
    throw new NereidError("INVALID_ARGUMENT", "'version' must be a version as a string");
  if (typeof force !== "boolean") throw new NereidError("INVALID_ARGUMENT", "'force' must be true or false");
  if (typeof deadlineMs !== "number" || !(deadlineMs >= 0 && deadlineMs <= LONGEST_DEADLINE_MS))
    throw new NereidError("INVALID_ARGUMENT", `'deadlineMs' must be a number from 0 to ${LONGEST_DEADLINE_MS}`);
  return {
    version: version === undefined ? undefined : String(BigInt(version)),
    order: { force, deadlineMs },
  };
}

/**
 * `POST /nereid/v1/models/M/instances/I/{drain|resume|restart}`: operates one instance of a served version; the answer is what it is
 * then. A restart answers once the instance serves again.
 */
export async function operateInstance(
  context: ServerContext,
  { name, id, action }: { readonly name: string; readonly id: string; readonly action: InstanceOrder["action"] },
  { version, order }: InstanceBody,
) {
  const served = servedVersion(context, name, version);
  const state = await served.operateInstance({ action, index: Number(id), ...order });
  return { version: served.spec.version, instance: instanceFacts(state) };
}

/** The version of a model that is meant. NOT_FOUND for one that is not served, INVALID_ARGUMENT where it must be named. */
export function servedVersion(context: ServerContext, name: string, version: string | undefined): ServedVersion {
  const served = sortedVersions(entryOf(context, name)).flatMap((entry) => entry.served ?? []);
  const versions = served.map(({ spec }) => spec.version).join(", ");
  if (version === undefined && served.length > 1)
    throw new NereidError("INVALID_ARGUMENT", `model '${name}' serves the versions ${versions}: name one`, {
      fix: "send 'version'",
    });
  const found = version === undefined ? served[0] : served.find(({ spec }) => spec.version === version);
  if (found !== undefined) return found;
  const what = version === undefined ? `model '${name}'` : `version ${version} of model '${name}'`;
  throw new NereidError("NOT_FOUND", `${what} is not served`, {
    fix: served.length === 0 ? "load it first" : `versions that are: ${versions}`,
  });
}

/** One instance as `batching` and the operations tell it. */
export function instanceFacts({ busyNs, busyShare: _share, ...instance }: InstanceState) {
  return { ...instance, busySeconds: busyNs / NS_PER_S };
}
