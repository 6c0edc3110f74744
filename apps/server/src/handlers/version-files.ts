import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { NereidError } from "@nereid/errors";
import { parseModelConfig } from "@nereid/model-config";
import {
  archiveVersion,
  deleteModel,
  deleteVersion,
  describeVersion,
  type VersionSnapshot,
} from "@nereid/model-repository";
import { snapshotOf } from "../config/change-config.ts";
import { graphOf } from "../config/model-graph.ts";
import type { ServerContext } from "../server-context.ts";

/** Versions as they lie on disk, newest first. */
export async function listVersionFiles(context: ServerContext, name: string) {
  const snapshot = await snapshotOf(context, name);
  const file = parseModelConfig(snapshot.configText).config?.defaultModelFilename ?? "";
  const newestFirst = snapshot.versions.toSorted((a, b) => (a.version > b.version ? -1 : 1));
  const rows = [];
  // One after the other: hashing side by side would only make the disk seek.
  for (const { version, directory } of newestFirst) {
    rows.push({
      version: String(version),
      ...(await describeVersion(directory)),
      graph: await graphOf(directory, file),
    });
  }
  return rows;
}

/** Removes a version's files. CONFLICT while it is served. */
export function removeVersion(context: ServerContext, name: string, version: string): Promise<void> {
  return context.turns.run(name, async () => {
    const { snapshot, found } = await findVersion(context, name, version);
    const state = context.manager.entry(name)?.versions.get(version);
    if (state?.served !== undefined) {
      throw new NereidError("CONFLICT", `version ${version} of model '${name}' is served`, {
        fix: "unload this version first",
      });
    }
    await deleteVersion({ root: snapshot.repository, model: name, version: String(found.version) });
    const pin = context.desired.pinOf(name);
    if (pin?.includes(version)) {
      const rest = pin.filter((candidate) => candidate !== version);
      await context.desired.pinned(name, rest.length === 0 ? null : rest);
    }
  });
}

/** Removes a model. CONFLICT while any version is served. */
export function removeModel(context: ServerContext, name: string): Promise<void> {
  return context.turns.run(name, async () => {
    const snapshot = await snapshotOf(context, name);
    const served = [...(context.manager.entry(name)?.versions.values() ?? [])].filter(
      (one) => one.served !== undefined,
    );
    if (served.length > 0) {
      throw new NereidError(
        "CONFLICT",
        `model '${name}' is served (versions ${served.map((one) => one.version).join(", ")})`,
        {
          fix: "unload the model first",
        },
      );
    }
    await deleteModel({ root: snapshot.repository, model: name });
    context.manager.forget(name);
    context.shadows.stop(name);
    await context.desired.forgotten(name);
  });
}

/** Streams the files of a version as a tar archive. */
export async function sendArchive(
  context: ServerContext,
  target: { readonly name: string; readonly version: string },
  response: ServerResponse,
): Promise<void> {
  const { found } = await findVersion(context, target.name, target.version);
  const file = `${target.name}-${target.version}.tar`;
  response.writeHead(200, {
    "Content-Type": "application/x-tar",
    "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file)}`,
    "Cache-Control": "no-store",
  });
  // A reader that goes away ends the archive; there is nobody left to tell.
  await pipeline(archiveVersion(found.directory, `${target.name}/${found.version}`), response).catch(() =>
    response.destroy(),
  );
}

async function findVersion(context: ServerContext, name: string, version: string) {
  const snapshot = await snapshotOf(context, name);
  const found: VersionSnapshot | undefined = snapshot.versions.find((one) => String(one.version) === version);
  if (found === undefined) throw new NereidError("NOT_FOUND", `model '${name}' has no version ${version}`);
  return { snapshot, found };
}
