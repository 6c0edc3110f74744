import type { GraphTensor } from "@nereid/client";
import type { VersionRow } from "@nereid/services";

/** What a version has to say for whether it may be deleted, unloaded and loaded; null = it may. */
export interface VersionRefusals {
  readonly load: string | null;
  readonly unload: string | null;
  readonly remove: string | null;
}

type Facts = Pick<VersionRow, "state" | "digest">;

/** Why an action makes no sense for a version as it stands. */
export function versionRefusals({ state, digest }: Facts): VersionRefusals {
  const changing = state === "LOADING" ? "It is being loaded." : state === "UNLOADING" ? "It is being unloaded." : null;
  const served = state === "READY";
  const gone = digest === "" ? "Its files are no longer on the disk." : null;
  return {
    load: changing ?? (served ? "It is served already." : gone),
    unload: changing ?? (served ? null : "It is not served."),
    remove: changing ?? (served ? "Unload it first: it is being served." : gone),
  };
}

/** Where the newest served version can be rolled back to; null when there is nothing older. */
export function rollbackTarget(rows: readonly Pick<VersionRow, "version" | "state" | "digest">[]): string | null {
  const served = rows.filter(({ state }) => state === "READY").map(({ version }) => Number(version));
  if (served.length === 0) return null;
  const highest = Math.max(...served);
  const older = rows.filter(({ version, digest }) => Number(version) < highest && digest !== "");
  return older.toSorted((a, b) => Number(b.version) - Number(a.version))[0]?.version ?? null;
}

/** Why a version is served: by the policy of the configuration, or because somebody chose it. */
export function servedWords({
  pinned,
  servedByPolicy,
  state,
}: Pick<VersionRow, "pinned" | "servedByPolicy" | "state">): string {
  if (pinned) return "Pinned";
  if (servedByPolicy === true) return "By policy";
  return state === "READY" ? "By hand" : "–";
}

/** A tensor as one reads it: "FP32 [batch, 784]". */
export function tensorText(tensor: GraphTensor | null): string {
  if (tensor === null) return "not there";
  return `${tensor.datatype} [${tensor.dims.map((dim) => (dim === -1 ? "?" : String(dim))).join(", ")}]`;
}
