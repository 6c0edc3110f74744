"use client";

import type { NodeDetail, NodeRow } from "@nereid/services";
import { Button, Card, Message, Skeleton, StatePill, Table, Td, Th, Tr } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { shownError } from "../../lib/api-error.ts";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { historyPath } from "../audit/search-params.ts";
import { modelPath } from "../models/model-name-cell.tsx";
import { modelState } from "../models/model-state.ts";
import { QueryError } from "../shell/query-error.tsx";
import { withNode } from "./chosen-node.ts";
import { NodeChartsCard } from "./node-charts-card.tsx";
import { NodeHeader } from "./node-header.tsx";
import { controlModeWords } from "./node-words.ts";

const REFRESH_MS = 3_000;

/** One server: how it stands, how busy it is, what lies on it. */
export function NodePage({ id }: { readonly id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.nodes.get.queryOptions({ id }, { refetchInterval: REFRESH_MS }));
  if (query.isError && shownError(query.error).code === "NOT_FOUND") {
    return (
      <Message
        page
        kind="missing"
        title="There is no such node"
        action={
          <Button asChild>
            <Link href="/nodes">All nodes</Link>
          </Button>
        }
      >
        It may have been removed.
      </Message>
    );
  }
  if (query.data === undefined) {
    return query.isError ? (
      <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    ) : (
      <div role="status" className="space-y-4">
        <span className="sr-only">Loading the node</span>
        <Skeleton className="h-14" />
        <Skeleton className="h-64" />
      </div>
    );
  }
  const { node, placed, events } = query.data;
  return (
    <div className="space-y-4">
      <NodeHeader node={node} />
      <NodeChartsCard id={id} name={node.name} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <PlacedCard node={node} placed={placed} />
        <div className="grid gap-4">
          <FactsCard node={node} />
          <EventsCard node={node} events={events} />
        </div>
      </div>
    </div>
  );
}

const linkOn = ({ id }: NodeRow, path: string) => withNode(path, id === "local" ? "local" : id);

function PlacedCard({ node, placed }: { readonly node: NodeRow; readonly placed: NodeDetail["placed"] }) {
  return (
    <Card
      flush
      title="Models on it"
      {...(node.models !== null && { hint: `${node.models.ready} of ${node.models.total} ready` })}
    >
      {placed === null ? (
        <Message kind="error" title="It does not say which models it has" />
      ) : placed.length === 0 ? (
        <Message kind="empty" title="Its repository has no models" />
      ) : (
        <Table label={`Models on ${node.name}`} frameClassName="max-h-[30rem] overflow-y-auto">
          <thead>
            <tr>
              <Th>Model</Th>
              <Th>State</Th>
              <Th>Versions ready</Th>
              <Th numeric>Pending</Th>
            </tr>
          </thead>
          <tbody>
            {placed.map((model) => {
              const ready = model.versions.filter((version) => version.ready);
              return (
                <Tr key={model.name}>
                  <Td>
                    <Link
                      href={linkOn(node, modelPath(model.name))}
                      className="inline-flex min-h-[24px] items-center font-medium hover:underline [overflow-wrap:anywhere]"
                    >
                      {model.name}
                    </Link>
                  </Td>
                  <Td>
                    <StatePill state={modelState(model).state} />
                  </Td>
                  <Td className="font-mono text-[0.893rem]">
                    {ready.length === 0 ? "–" : ready.map(({ version }) => version).join(", ")}
                  </Td>
                  <Td numeric>{model.versions.reduce((sum, { pending }) => sum + pending, 0)}</Td>
                </Tr>
              );
            })}
          </tbody>
        </Table>
      )}
    </Card>
  );
}

function FactsCard({ node }: { readonly node: NodeRow }) {
  const { facts } = node;
  if (facts === null) return null;
  const { startedAtMs, cores, repositories } = facts;
  const rows = [
    ["Server", `${facts.serverName} ${facts.version}`],
    ["Up since", startedAtMs === null ? null : <LocalTime key="up" at={new Date(startedAtMs)} relative />],
    ["Control mode", facts.controlMode === null ? null : controlModeWords(facts.controlMode)],
    ["Cores", cores],
    ["Repository", repositories?.join(", ") ?? null],
    ["Extensions", facts.extensions.join(", ")],
  ] as const;
  return (
    <Card flush title="What it says of itself">
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-2 px-4 py-3">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value ?? <span className="text-ink-soft">not told</span>}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function EventsCard({ node, events }: { readonly node: NodeRow; readonly events: NodeDetail["events"] }) {
  return (
    <Card
      flush
      title="What happened on it"
      actions={
        <Button asChild size="small" tone="quiet">
          <Link href={historyPath("node", node.id)}>History of the node</Link>
        </Button>
      }
    >
      {events.length === 0 ? (
        <Message kind="empty" title="Nothing was done to its models yet" />
      ) : (
        <ul className="divide-y divide-line">
          {events.map((event) => (
            <li key={event.id} className="px-4 py-2.5">
              <p className="[overflow-wrap:anywhere]">
                {event.model === null ? null : (
                  <>
                    <Link href={linkOn(node, modelPath(event.model))} className="font-medium hover:underline">
                      {event.model}
                    </Link>
                    {": "}
                  </>
                )}
                {event.label}
              </p>
              <p className="text-[0.857rem] text-ink-soft">
                {event.actorName}, <LocalTime at={new Date(event.t * 1000)} relative />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
