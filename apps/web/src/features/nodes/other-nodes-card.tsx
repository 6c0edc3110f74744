"use client";

import { Card, formatDuration, formatNumber, StatePill, Table, Td, Th, Tr } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { modelState } from "../models/model-state.ts";
import { withNode } from "./chosen-node.ts";
import { useNode } from "./node-context.tsx";

const REFRESH_MS = 5_000;

/** The same model on the other nodes. Not there while there is only one node. */
export function OtherNodesCard({ name }: { readonly name: string }) {
  const trpc = useTRPC();
  const { id, choices } = useNode();
  const several = choices.length > 1;
  const query = useQuery(trpc.nodes.model.queryOptions({ name }, { enabled: several, refetchInterval: REFRESH_MS }));
  if (!several || query.data === undefined) return null;
  const others = query.data.filter(({ node }) => node.id !== (id ?? "local"));
  return (
    <Card flush title="On other nodes" hint="Means and percentiles of the last 10 s">
      <Table label={`${name} on other nodes`}>
        <thead>
          <tr>
            <Th>Node</Th>
            <Th>State</Th>
            <Th>Versions ready</Th>
            <Th numeric>Req/s</Th>
            <Th numeric>p99</Th>
          </tr>
        </thead>
        <tbody>
          {others.map(({ node, status, problem, requestsPerSecond, p99 }) => (
            <Tr key={node.id}>
              <Td>
                <Link
                  href={withNode(modelPath(name), node.id)}
                  className="inline-flex min-h-[24px] items-center font-medium hover:underline"
                >
                  {node.name}
                </Link>
              </Td>
              <Td>
                {status === null ? (
                  <span className="text-ink-soft">{problem ?? "has no such model"}</span>
                ) : (
                  <StatePill state={modelState(status).state} />
                )}
              </Td>
              <Td className="font-mono text-[0.893rem]">
                {status?.versions.flatMap(({ ready, version }) => (ready ? [version] : [])).join(", ") || "–"}
              </Td>
              <Td numeric>{status === null ? "–" : formatNumber(requestsPerSecond)}</Td>
              <Td numeric>{formatDuration(p99)}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
