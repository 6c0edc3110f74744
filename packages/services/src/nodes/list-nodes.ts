import type { ModelStatus } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import type { NodeConnection } from "../metrics/connection.ts";
import type { NodeCapabilities } from "./capabilities.ts";
import type { ManagedNode, NodeKind } from "./managed-node.ts";
import type { NodeFacts } from "./node-facts.ts";
import { type NodeFigures, nodeFigures } from "./node-figures.ts";

/** A node as a choice: what is known of it without asking it. */
export interface NodeChoice {
  readonly id: string;
  readonly name: string;
  readonly kind: NodeKind;
  readonly cordoned: boolean;
  readonly connection: NodeConnection;
  readonly capabilities: NodeCapabilities;
}

/** A node with what it says of itself now. */
export interface NodeRow extends NodeChoice {
  readonly url: string;
  readonly metricsUrl: string | null;
  readonly grpcUrl: string | null;
  readonly hasKey: boolean;
  /** Null while it does not answer. */
  readonly facts: NodeFacts | null;
  readonly models: { readonly total: number; readonly ready: number } | null;
  readonly figures: NodeFigures | null;
  /** Why there are no facts; null when there are. */
  readonly problem: string | null;
}

/** Seconds of memory that a list's figures and trends need. */
const MEMORY_SECONDS = 75;
/** A node that is slow to answer must not keep the others from being shown. */
const PATIENCE_MS = 2_500;

/** Every node as a choice, the local one first. Asks none of them. */
export async function listNodeChoices({ ctx }: Pick<Call, "ctx">): Promise<NodeChoice[]> {
  authorise(ctx.actor, "model.read");
  return ctx.nodes.map(toChoice);
}

/** Every node with its state and its figures. One that does not answer is listed with the reason. */
export async function listNodes({ ctx }: Pick<Call, "ctx">): Promise<NodeRow[]> {
  authorise(ctx.actor, "model.read");
  return Promise.all(ctx.nodes.map((node) => toRow(node)));
}

/** One node with what it says of itself now; `models` are given where they are known already. */
export async function toRow(node: ManagedNode): Promise<NodeRow> {
  const [facts, models] = await Promise.allSettled([inTime(node.facts()), inTime(node.client.models())]);
  const { newest } = node.metrics;
  return {
    ...toChoice(node),
    url: node.url,
    metricsUrl: node.metricsUrl,
    grpcUrl: node.grpcUrl,
    hasKey: node.hasKey,
    facts: facts.status === "fulfilled" ? facts.value : null,
    models: models.status === "fulfilled" ? countOf(models.value) : null,
    figures: nodeFigures(node.metrics.recent(newest - MEMORY_SECONDS)),
    problem: facts.status === "fulfilled" ? null : NereidError.from(facts.reason).message,
  };
}

export function toChoice({ id, name, kind, cordoned, metrics, capabilities }: ManagedNode): NodeChoice {
  return { id, name, kind, cordoned, connection: metrics.connection, capabilities };
}

function countOf(models: readonly ModelStatus[]): { total: number; ready: number } {
  const ready = models.filter(({ versions }) => versions.some((version) => version.ready)).length;
  return { total: models.length, ready };
}

/** The answer, or UNAVAILABLE when it does not come soon. */
export function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new NereidError("UNAVAILABLE", "it does not answer in time"));
    const timer = setTimeout(late, PATIENCE_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
