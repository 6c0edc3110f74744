import type { NodeRow } from "@nereid/services";
import { cn, Table, Td, Th, Tr } from "@nereid/ui";
import { Sparkline } from "@nereid/ui/charts";
import Link from "next/link";
import { nodeTexts } from "./node-figures.ts";
import { NodeStatePill } from "./node-state-pill.tsx";
import { controlModeWords, KIND_WORDS } from "./node-words.ts";
import { nodePath } from "./nodes-page.tsx";

/** All nodes side by side. Figures of one that does not answer are from before, and faint. */
export function NodesTable({ nodes }: { readonly nodes: readonly NodeRow[] }) {
  return (
    <Table label="Nodes">
      <thead>
        <tr>
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
      <tbody>
        {nodes.map((node) => {
          const texts = nodeTexts(node);
          const stale = cn(node.connection.state !== "live" && "text-ink-soft");
          return (
            <Tr key={node.id}>
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
          );
        })}
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
