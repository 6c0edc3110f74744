import { setTimeout as sleep } from "node:timers/promises";
import {
  capabilitiesOf,
  checkedBuckets,
  type HubCompanion,
  LOCAL_NODE,
  localSpec,
  type ManagedNode,
  MetricsHub,
  type NodeControl,
  NodeHubs,
  type NodeSpec,
  readSpecs,
  systemClock,
} from "@nereid/services";
import type { WebEnv } from "../env.ts";
import { startHistory } from "./history.ts";
import { logError } from "./log.ts";
import { linkTo, openLink } from "./node-client.ts";
import { getRuntime } from "./runtime.ts";

const HEADER = "x-nereid-node";

/** The streams of the nodes, of which at first only the local one is known. Part of the shared runtime. */
export function createNodeHubs(env: WebEnv): NodeHubs {
  const first = localSpec({ url: env.serverUrl, metricsUrl: null, apiKey: env.serverKey ?? null }, false);
  return new NodeHubs({ openHub, accompany: keepHistory }, [first]);
}

function keepHistory({ id }: NodeSpec, hub: MetricsHub): HubCompanion {
  startHistory(id, hub);
  return { stop: () => getRuntime().history.stopNode(id) };
}

function openHub(spec: NodeSpec): MetricsHub {
  const link = openLink(spec);
  let told = "";
  return new MetricsHub({
    open: (options) => checkedBuckets(link.buckets(options), systemClock),
    clock: systemClock,
    pause: (ms, signal) => sleep(ms, undefined, { signal }),
    onError: (error) => {
      // A server may be away for days: the same trouble is told once.
      const text = String(error);
      if (text !== told) logError(`bucket stream of the node ${spec.name}`, error);
      told = text;
    },
  });
}

/** Every node, the local one first, with clients of the bundle that asks. */
export function managedNodes(): ManagedNode[] {
  return getRuntime().hubs.entries.map(({ spec, hub }) => {
    const { client, facts, grpc } = linkTo(spec);
    const { apiKey, ...shown } = spec;
    return {
      ...shown,
      hasKey: apiKey !== null,
      client,
      facts,
      grpc,
      metrics: hub,
      capabilities: capabilitiesOf(spec.kind),
    };
  });
}

/** How the set of nodes is changed, by verbs. */
export const nodeControl: NodeControl = {
  refresh: refreshNodes,
  seal: (secret) => getRuntime().secrets.seal(secret),
  unseal: (sealed) => getRuntime().secrets.open(sealed),
  probe: (spec) => openLink(spec).facts(),
};

/** Reads the records of the nodes and makes the streams follow. */
export async function refreshNodes(): Promise<void> {
  const { db, env, hubs, secrets } = getRuntime();
  const specs = await readSpecs({
    db,
    local: { url: env.serverUrl, metricsUrl: null, apiKey: env.serverKey ?? null },
    box: secrets,
    onUnreadable: (node, error) => logError(`the key of the node ${node}`, error),
  });
  hubs.sync(specs);
}

/** Address and key of a node, for what is passed on to it as it comes; undefined for an unknown one. */
export function specOf(nodeId: string): NodeSpec | undefined {
  return getRuntime().hubs.entries.find(({ spec }) => spec.id === nodeId)?.spec;
}

/** Id of the node that a request names: in its address, or in the header; the local one where it names none. */
export function requestedNode({ headers, url }: { readonly headers: Headers; readonly url?: string }): string {
  const asked = (url === undefined ? null : new URL(url).searchParams.get("node")) ?? headers.get(HEADER);
  // "all" is what readings over every node are asked with; whoever reads those looks for the nodes itself.
  return asked === null || asked === "" || asked === "all" ? LOCAL_NODE : asked;
}
