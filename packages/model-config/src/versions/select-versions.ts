import type { ModelVersionPolicy } from "../gen/model_config_pb.ts";

export interface VersionSelection {
  /** Versions to serve, ascending. */
  readonly selected: bigint[];
  /** Versions a `specific` policy names that do not exist; Triton logs them and goes on. */
  readonly missing: bigint[];
}

/**
 * Applies a version policy (model-config.md §8). No policy means `latest { num_versions: 1 }`, a policy without a choice
 * means `all`. An empty selection is for the caller to refuse.
 */
export function selectVersions(policy: ModelVersionPolicy | undefined, available: readonly bigint[]): VersionSelection {
  const versions = [...new Set(available)].sort(ascending);
  const choice = policy === undefined ? undefined : policy.policyChoice;
  if (choice === undefined) return { selected: versions.slice(-1), missing: [] };
  switch (choice.case) {
    case "latest": {
      const count = choice.value.numVersions;
      return { selected: count === 0 ? [] : versions.slice(-count), missing: [] };
    }
    case "specific": {
      const wanted = [...new Set(choice.value.versions)].sort(ascending);
      const present = new Set(versions);
      return {
        selected: wanted.filter((version) => present.has(version)),
        missing: wanted.filter((version) => !present.has(version)),
      };
    }
    default:
      return { selected: versions, missing: [] };
  }
}

function ascending(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
