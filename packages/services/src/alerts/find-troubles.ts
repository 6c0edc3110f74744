import type { SecondBucket } from "@nereid/client";
import type { Database } from "@nereid/db";
import type { HistoryReader } from "../history/history-reader.ts";
import type { NodeConnection } from "../metrics/connection.ts";
import { toSlo } from "../slos/slo-input.ts";
import { sloRules } from "../slos/slo-status.ts";
import type { Trouble } from "./plan-alerts.ts";

export interface WatchedNode {
  readonly id: string;
  readonly name: string;
  readonly connection: NodeConnection;
  /** Its remembered seconds later than `after`, Unix seconds, oldest first, without those of its models. */
  readonly machine: (after: number) => readonly Pick<SecondBucket, "t" | "node">[];
}

export interface TroubleSources {
  readonly db: Database;
  readonly clock: { readonly now: () => number };
  readonly history: HistoryReader;
  readonly nodes: () => readonly WatchedNode[];
}

/** A node that is silent for this long is down; shorter, it may be restarting. */
const DOWN_AFTER_MS = 30_000;
const GPU_WINDOW_S = 600;

export interface FoundTroubles {
  readonly troubles: readonly Trouble[];
  /** Whether nothing could be found out about the alert of this key. */
  readonly unknown: (key: string) => boolean;
}

/** Looks at everything that alerts are about: objectives that burn their budget, nodes that do not answer, GPUs that report errors. */
export async function findTroubles(sources: TroubleSources, openKeys: readonly string[]): Promise<FoundTroubles> {
  const { db, clock, history } = sources;
  const isOpen = new Set(openKeys);
  const troubles: Trouble[] = [];
  const failed = new Set<string>();
  for (const row of await db.slo.findMany()) {
    const slo = toSlo(row);
    const prefix = `slo/${slo.id}/`;
    try {
      const rules = await sloRules({ history, clock }, { slo, isOpen: (rule) => isOpen.has(prefix + rule) });
      const worst = rules.find(({ holds }) => holds);
      // One alert an objective, that of its strictest rule: three for one mishap would be noise.
      if (worst !== undefined) {
        const { rule, longRate } = worst;
        troubles.push({
          key: prefix + rule.id,
          severity: rule.severity,
          title: `${slo.model}: ${slo.name} uses its error budget ${longRate.toFixed(1)} times as fast as it may`,
          model: slo.model,
          sloId: slo.id,
          facts: {
            rule: rule.id,
            longRate,
            shortRate: worst.shortRate,
            longSeconds: rule.longSeconds,
            objective: slo.objective,
          },
        });
      }
    } catch {
      failed.add(prefix);
    }
  }
  for (const node of sources.nodes()) {
    const { id, name, connection } = node;
    const silentMs = connection.state === "down" ? clock.now() - connection.since : 0;
    if (silentMs >= DOWN_AFTER_MS) {
      troubles.push({
        key: `node/${id}/down`,
        severity: "page",
        title: `Node ${name} does not answer`,
        node: id,
        facts: { since: new Date(connection.since).toISOString() },
      });
    }
    troubles.push(...gpuTroubles(node, clock.now()));
  }
  return { troubles, unknown: (key) => [...failed].some((prefix) => key.startsWith(prefix)) };
}

/** Xid errors that came in the last ten minutes, out of memory: a node without a GPU costs nothing. */
function gpuTroubles({ id, name, machine }: WatchedNode, nowMs: number): Trouble[] {
  const readings = machine(Math.floor(nowMs / 1000) - GPU_WINDOW_S).flatMap(({ node }) => node?.gpus ?? []);
  return [...new Set(readings.map(({ index }) => index))].flatMap((index) => {
    const errors = readings.flatMap((gpu) =>
      gpu.index === index && gpu.xidErrors !== undefined ? [gpu.xidErrors] : [],
    );
    const grown = errors.length === 0 ? 0 : Math.max(...errors) - Math.min(...errors);
    if (grown === 0) return [];
    return [
      {
        key: `node/${id}/gpu/${index}/xid`,
        severity: "page",
        title: `GPU ${index} of node ${name} reports Xid errors`,
        node: id,
        facts: { gpu: index, errors: grown },
      },
    ];
  });
}
