import type { Database, Node } from "@nereid/db";
import { LOCAL_NODE, type NodeKind, type NodeSpec } from "./managed-node.ts";
import type { SecretBox } from "./secret-box.ts";

const LOCAL_CORDON_KEY = "node.local.cordoned";

export interface SpecSource {
  readonly db: Pick<Database, "node" | "setting">;
  readonly local: Pick<NodeSpec, "url" | "metricsUrl" | "apiKey">;
  readonly box: SecretBox;
  /** Told of a key that cannot be read; its node is then asked without one. */
  readonly onUnreadable: (node: string, error: unknown) => void;
}

/** Every node: the local one first, then the others by name. */
export async function readSpecs({ db, local, box, onUnreadable }: SpecSource): Promise<NodeSpec[]> {
  const [rows, cordon] = await Promise.all([
    db.node.findMany({ orderBy: { name: "asc" } }),
    db.setting.findUnique({ where: { key: LOCAL_CORDON_KEY } }),
  ]);
  return [
    localSpec(local, cordon?.value === "true"),
    ...rows.map((row) => toSpec(row, keyOf(row, { box, onUnreadable }))),
  ];
}

/** The node that the dashboard was started with. */
export function localSpec(local: SpecSource["local"], cordoned: boolean): NodeSpec {
  return { id: LOCAL_NODE, name: LOCAL_NODE, kind: "nereid", cordoned, grpcUrl: null, ...local };
}

/** The setting in which it is kept that the local node is cordoned, for it has no record. */
export const localCordon = (cordoned: boolean) => ({ key: LOCAL_CORDON_KEY, value: String(cordoned) });

export function toKind(text: string): NodeKind {
  return text === "triton" ? "triton" : "nereid";
}

function toSpec({ id, name, kind, url, metricsUrl, grpcUrl, cordoned }: Node, apiKey: string | null): NodeSpec {
  return { id, name, kind: toKind(kind), url, metricsUrl, grpcUrl, cordoned, apiKey };
}

function keyOf({ name, secret }: Node, { box, onUnreadable }: Pick<SpecSource, "box" | "onUnreadable">) {
  if (secret === null) return null;
  try {
    return box.open(secret);
  } catch (error) {
    onUnreadable(name, error);
    return null;
  }
}
