import type { NodeRow } from "@nereid/services";
import { cn } from "@nereid/ui";
import { Fragment, useRef } from "react";
import { useVirtualRows } from "../../lib/use-virtual-rows.ts";
import { nodeTexts } from "./node-figures.ts";
import { NodeStatePill } from "./node-state-pill.tsx";
import { NodeName } from "./nodes-table.tsx";

/** Height of a card, pixels. */
const CARD_PX = 164;

/** The same for narrow screens. */
export function NodesCards({ nodes }: { readonly nodes: readonly NodeRow[] }) {
  const list = useRef<HTMLUListElement>(null);
  const { virtual, rows, after, measure, keep } = useVirtualRows({
    count: nodes.length,
    estimate: CARD_PX,
    frame: list,
  });
  return (
    <ul ref={list}>
      {rows.map(({ index, gap }) => {
        const node = nodes[index];
        if (node === undefined) return null;
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
          <Fragment key={node.id}>
            {gap === 0 ? null : <li aria-hidden style={{ height: gap }} />}
            <li
              ref={measure}
              data-index={index}
              onFocus={() => keep(index)}
              className={cn("space-y-3 p-4", index > 0 && "border-line border-t")}
              {...(virtual && { "aria-setsize": nodes.length, "aria-posinset": index + 1 })}
            >
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
          </Fragment>
        );
      })}
      {after === 0 ? null : <li aria-hidden style={{ height: after }} />}
    </ul>
  );
}
