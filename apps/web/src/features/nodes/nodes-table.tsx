import type { NodeRow } from "@nereid/services";
import { cn, Table, Td, Th, Tr } from "@nereid/ui";
import { Sparkline } from "@nereid/ui/charts";
import { Fragment, useRef } from "react";
import Link from "../../lib/link.tsx";
import { SpacerRow } from "../../lib/spacer-row.tsx";
import { useVirtualRows } from "../../lib/use-virtual-rows.ts";
import { nodeTexts } from "./node-figures.ts";
import { NodeStatePill } from "./node-state-pill.tsx";
import { controlModeWords, KIND_WORDS } from "./node-words.ts";
import { nodePath } from "./nodes-page.tsx";

/** Height of a row, pixels. */
const ROW_PX = 59;
const COLUMNS = 11;

/** All nodes side by side. Figures of one that does not answer are from before, and faint. Of many, those near the screen are drawn. */
export function NodesTable({ nodes }: { readonly nodes: readonly NodeRow[] }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { virtual, rows, after, measure, keep } = useVirtualRows({
    count: nodes.length,
    estimate: ROW_PX,
    frame: body,
  });
  return (
    <Table label="Nodes" {...(virtual && { "aria-rowcount": nodes.length + 1 })}>
      <thead>
        <tr {...(virtual && { "aria-rowindex": 1 })}>
          <Th>Node</Th>
          <Th>State</Th>
          <Th numeric>Models ready</Th>
          <Th>Requests, 60 s</Th>
          <Th numeric>Req/s</Th>
          <Th numeric>Failed</Th>
          <Th numeric>p99</Th>
          <Th numeric>CPU</Th>
          <Th numeric>Memory</Th>
          <Th numeric>Loop lag</Th>
          <Th numeric>GPUs, busiest</Th>
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map(({ index, gap }) => {
          const node = nodes[index];
          if (node === undefined) return null;
          const texts = nodeTexts(node);
          const stale = cn(node.connection.state !== "live" && "text-ink-soft");
          return (
            <Fragment key={node.id}>
              <SpacerRow height={gap} columns={COLUMNS} />
              <Tr
                ref={measure}
                data-index={index}
                onFocus={() => keep(index)}
                {...(virtual && { "aria-rowindex": index + 2 })}
              >
                <Td>
                  <NodeName node={node} />
                </Td>
                <Td>
                  <NodeStatePill node={node} facts={node.facts} />
                </Td>
                <Td numeric>{texts.models}</Td>
                <Td>
                  <Sparkline
                    values={node.figures?.trend ?? []}
                    label={`Requests per second of ${node.name}, last 60 s; now ${texts.requests}`}
                  />
                </Td>
                {[texts.requests, texts.failures, texts.p99, texts.cpu, texts.memory, texts.lag, texts.gpus].map(
                  (text, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
                    <Td key={column} numeric className={stale}>
                      {text}
                    </Td>
                  ),
                )}
              </Tr>
            </Fragment>
          );
        })}
        <SpacerRow height={after} columns={COLUMNS} />
      </tbody>
    </Table>
  );
}

export function NodeName({ node }: { readonly node: NodeRow }) {
  const { facts, kind, id, name } = node;
  return (
    <div className="min-w-0">
      <Link href={nodePath(id)} className="inline-flex min-h-[24px] items-center font-medium hover:underline">
        {name}
      </Link>
      <p className="text-[0.786rem] text-ink-soft [overflow-wrap:anywhere]">
        {KIND_WORDS[kind]}
        {facts === null ? "" : ` ${facts.version}`}
        {facts?.controlMode == null ? "" : `, ${controlModeWords(facts.controlMode).split(":")[0]}`}
      </p>
    </div>
  );
}
