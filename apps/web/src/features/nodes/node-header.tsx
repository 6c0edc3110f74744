"use client";

import type { NodeRow } from "@nereid/services";
import { Badge, Banner, Button, ConfirmDialog } from "@nereid/ui";
import { Eye } from "lucide-react";
import { useState } from "react";
import { GuardedButton } from "../models/guarded-button.tsx";
import { useNode } from "./node-context.tsx";
import { NodeStatePill } from "./node-state-pill.tsx";
import { KIND_WORDS } from "./node-words.ts";
import { useNodeActions } from "./use-node-actions.ts";

/** What a node is, how it stands and what can be done with it. */
export function NodeHeader({ node }: { readonly node: NodeRow }) {
  const actions = useNodeActions(node);
  const chosen = useNode();
  const [asking, setAsking] = useState<"drain" | "cordon">();
  const draining = node.facts?.draining === true;
  const here = (chosen.id ?? "local") === node.id;
  const down = node.facts === null ? "The node does not answer." : null;
  const noDrain = node.capabilities.drain;
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 space-y-1.5">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <h1 className="font-semibold text-xl leading-tight tracking-tight [overflow-wrap:anywhere]">{node.name}</h1>
            <NodeStatePill node={node} facts={node.facts} />
          </div>
          <div className="flex flex-wrap items-center gap-1.5">
            <Badge>{KIND_WORDS[node.kind]}</Badge>
            <span className="font-mono text-[0.857rem] text-ink-soft [overflow-wrap:anywhere]">{node.url}</span>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {here || chosen.choices.length < 2 ? null : (
            <Button size="small" onClick={() => chosen.choose(node.id === "local" ? null : node.id)}>
              <Eye aria-hidden />
              Look at this node
            </Button>
          )}
          <GuardedButton
            permission="node.operate"
            refusal={noDrain === null ? down : `Not on this node: ${noDrain}.`}
            busy={actions.busy}
            onClick={() => (draining ? actions.drain(false) : setAsking("drain"))}
          >
            {draining ? "Undrain" : "Drain"}
          </GuardedButton>
          <GuardedButton
            permission="node.operate"
            busy={actions.busy}
            onClick={() => (node.cordoned ? actions.cordon(false) : setAsking("cordon"))}
          >
            {node.cordoned ? "Uncordon" : "Cordon"}
          </GuardedButton>
        </div>
      </div>
      {node.problem === null ? null : (
        <Banner tone="bad">
          <strong className="font-semibold">The node does not answer.</strong> {node.problem} Figures are from before.
        </Banner>
      )}
      {draining ? (
        <Banner tone="warn">
          Readiness says no, so that load balancers send nothing more. What still comes is answered. A restart of the
          server ends this.
        </Banner>
      ) : null}
      {node.cordoned ? <Banner tone="warn">It takes no models. What it serves goes on.</Banner> : null}
      <ConfirmDialog
        open={asking === "drain"}
        onOpenChange={(open) => setAsking(open ? "drain" : undefined)}
        title={`Drain ${node.name}?`}
        action={`Drain ${node.name}`}
        onConfirm={() => actions.drain(true)}
      >
        <p>
          Its readiness probes answer no until somebody ends this or the server restarts: load balancers and clients
          that ask them go elsewhere. Requests that still come are answered.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === "cordon"}
        onOpenChange={(open) => setAsking(open ? "cordon" : undefined)}
        title={`Cordon ${node.name}?`}
        action={`Cordon ${node.name}`}
        onConfirm={() => actions.cordon(true)}
      >
        <p>Loads and deployments to it are refused from here until somebody uncordons it. What it serves goes on.</p>
      </ConfirmDialog>
    </div>
  );
}
