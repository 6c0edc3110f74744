import type { ModelStatus, VersionStatus } from "@nereid/client";
import type { PillState } from "@nereid/ui";
import { isBeingLoaded } from "./load-words.ts";

/** Triton's reason for a version that someone unloaded; not a failure. */
const UNLOADED = "unloaded";

export interface ModelState {
  readonly state: PillState;
  /** Why, where there is something to say. */
  readonly reason: string;
}

/** State of one version as a word and a reason. */
export function versionState(version: VersionStatus): ModelState {
  const { reason } = version;
  switch (version.state) {
    case "READY":
      return {
        state: version.ready ? "ready" : "unavailable",
        reason: version.ready ? reason : reason || "its runner does not answer",
      };
    case "LOADING":
      return { state: "loading", reason };
    case "UNLOADING":
      return { state: "unloading", reason };
    case "UNAVAILABLE":
      return reason === UNLOADED || reason === ""
        ? { state: "unloaded", reason: "" }
        : { state: "unavailable", reason };
    case "UNKNOWN":
      return { state: "unknown", reason };
  }
}

const ORDER: readonly PillState[] = ["ready", "loading", "unloading", "unavailable", "unknown", "unloaded"];

/** State of a model: that of its best version, unless its last load failed and nothing serves. */
export function modelState(status: ModelStatus): ModelState {
  const versions = status.versions.map(versionState);
  const best = ORDER.map((state) => versions.find((version) => version.state === state)).find(Boolean);
  const serving = best?.state === "ready" || best?.state === "loading" || best?.state === "unloading";
  // A load that waits for its turn or for memory has no version yet.
  if (!serving && isBeingLoaded(status)) return { state: "loading", reason: "" };
  if (!serving && status.lastLoadError !== "") return { state: "failed", reason: status.lastLoadError };
  return best ?? { state: "unloaded", reason: "" };
}

/** Whether a version serves, so that there is something to unload. */
export function isLoaded(status: ModelStatus): boolean {
  return status.versions.some(({ state }) => state === "READY");
}

/** Whether the node is loading or unloading it already, for whoever asked. */
export function isChanging(status: ModelStatus): boolean {
  return isBeingLoaded(status) || status.versions.some(({ state }) => state === "LOADING" || state === "UNLOADING");
}

/** Versions that serve, or all where none does, for a list: "1, 2". */
export function versionText(status: ModelStatus): string {
  const serving = status.versions.filter(({ state }) => state === "READY");
  return (serving.length > 0 ? serving : status.versions).map(({ version }) => version).join(", ") || "–";
}
