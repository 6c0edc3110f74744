import type { Permission } from "../access/permissions.ts";
import type { NodeKind } from "./managed-node.ts";

/** What a server may or may not be able to do. */
export const NODE_ABILITIES = [
  "load",
  "cancelLoad",
  "configure",
  "versions",
  "deploy",
  "delete",
  "traffic",
  "requests",
  "profile",
  "instances",
  "drain",
  "percentiles",
] as const;

export type NodeAbility = (typeof NODE_ABILITIES)[number];

/** By ability: null = it can; otherwise why not. */
export type NodeCapabilities = Readonly<Record<NodeAbility, string | null>>;

const TRITON: Readonly<Partial<Record<NodeAbility, string>>> = {
  cancelLoad: "a Triton server cannot break off a load",
  configure: "a Triton server does not let its configuration files be read or written",
  versions: "a Triton server loads and unloads whole models; its configuration says which versions",
  deploy: "a Triton server takes no files; they are put into its repository by other means",
  delete: "a Triton server does not remove files of its repository",
  traffic: "a Triton server sends requests without a version to the latest one",
  requests: "a Triton server keeps no records of single requests",
  profile: "a Triton server cannot profile a model while it serves",
  instances: "a Triton server tells nothing of its single instances, and cannot drain or restart one",
  drain: "a Triton server has no call that takes it out of service",
  percentiles: "a Triton server tells sums of times, from which means can be had but no percentiles",
};

/** What a server of this kind can do, known before it is asked. */
export function capabilitiesOf(kind: NodeKind): NodeCapabilities {
  const why = (ability: NodeAbility) => (kind === "triton" ? (TRITON[ability] ?? null) : null);
  return {
    load: why("load"),
    cancelLoad: why("cancelLoad"),
    configure: why("configure"),
    versions: why("versions"),
    deploy: why("deploy"),
    delete: why("delete"),
    traffic: why("traffic"),
    requests: why("requests"),
    profile: why("profile"),
    instances: why("instances"),
    drain: why("drain"),
    percentiles: why("percentiles"),
  };
}

const OF_PERMISSION: Readonly<Partial<Record<Permission, NodeAbility>>> = {
  "model.load": "load",
  "model.unload": "load",
  "model.deploy": "deploy",
  "model.configure": "configure",
  "model.delete": "delete",
};

/** Why a node cannot do what this permission is for; null where it can. */
export function inability(capabilities: NodeCapabilities, permission: Permission): string | null {
  const ability = OF_PERMISSION[permission];
  return ability === undefined ? null : capabilities[ability];
}
