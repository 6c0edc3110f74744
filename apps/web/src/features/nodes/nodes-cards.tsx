import type { NodeRow } from "@nereid/services";
import { nodeTexts } from "./node-figures.ts";
import { NodeStatePill } from "./node-state-pill.tsx";
import { NodeName } from "./nodes-table.tsx";

/** The same for narrow screens. */
export function NodesCards({ nodes }: { readonly nodes: readonly NodeRow[] }) {
  return (
    <ul className="divide-y divide-line">
      {nodes.map((node) => {
        const texts = nodeTexts(node);
        const shown = [
          ["Models", texts.models],
          ["Req/s", texts.requests],
          ["Failed", texts.failures],
          ["p99", texts.p99],
          ["CPU", texts.cpu],
          ["Memory", texts.memory],
          ["Loop lag", texts.lag],
          ["GPUs", texts.gpus],
        ] as const;
        return (
          <li key={node.id} className="space-y-3 p-4">
            <div className="flex items-start justify-between gap-3">
              <NodeName node={node} />
              <NodeStatePill node={node} facts={node.facts} />
            </div>
            <dl className="grid grid-cols-4 gap-2 md:grid-cols-8">
              {shown.map(([name, value]) => (
                <div key={name} className="min-w-0">
                  <dt className="text-[0.786rem] text-ink-soft">{name}</dt>
                  <dd className="font-mono text-[0.857rem] [overflow-wrap:anywhere]">{value}</dd>
                </div>
              ))}
            </dl>
          </li>
        );
      })}
    </ul>
  );
}
