"use client";

import { Button, Card, Message, Skeleton } from "@nereid/ui";
import { NodeHeatMap, prepareNodeHeat } from "@nereid/ui/charts";
import { useQuery } from "@tanstack/react-query";
import { Settings2 } from "lucide-react";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { useSession } from "../shell/session-context.tsx";
import { HEAT_METRICS, heatNode } from "./node-figures.ts";
import { nodesSentence } from "./node-words.ts";
import { NodesCards } from "./nodes-cards.tsx";
import { NodesTable } from "./nodes-table.tsx";

const REFRESH_MS = 3_000;

/** Address of a node's page. */
export const nodePath = (id: string): string => `/nodes/${encodeURIComponent(id)}`;

/** Every server: how it stands, what it does, how busy it is. */
export function NodesPage() {
  const trpc = useTRPC();
  const canManage = useSession().permissions.includes("node.manage");
  const query = useQuery(trpc.nodes.list.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const nodes = query.data;
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h1 className="font-semibold text-xl tracking-tight">Nodes</h1>
          <p className="min-h-5 text-ink-soft">{nodes === undefined ? null : nodesSentence(nodes)}</p>
        </div>
        {canManage ? (
          <Button asChild>
            <Link href="/settings/nodes">
              <Settings2 aria-hidden />
              Add or change nodes
            </Link>
          </Button>
        ) : null}
      </div>
      {nodes === undefined ? (
        <Card flush>
          {query.isError ? (
            <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
          ) : (
            <Skeleton className="m-4 h-40" />
          )}
        </Card>
      ) : (
        <>
          <Card flush>
            <div className="hidden xl:block">
              <NodesTable nodes={nodes} />
            </div>
            <div className="xl:hidden">
              <NodesCards nodes={nodes} />
            </div>
          </Card>
          <Card flush title="Where it is hot" hint="Means of the newest second; the loop’s lag is its greatest.">
            <NodeHeatMap
              metrics={HEAT_METRICS}
              rows={prepareNodeHeat(nodes.map(heatNode), HEAT_METRICS)}
              renderName={({ id, name }) => (
                <Link href={nodePath(id)} className="inline-flex min-h-[24px] items-center hover:underline">
                  {name}
                </Link>
              )}
            />
          </Card>
          {nodes.length === 1 ? (
            <Card flush>
              <Message kind="empty" title="There is one node only">
                {canManage
                  ? "Add other Nereid or Triton servers in the settings to look after them from here."
                  : "An administrator can add other Nereid or Triton servers."}
              </Message>
            </Card>
          ) : null}
        </>
      )}
    </div>
  );
}
