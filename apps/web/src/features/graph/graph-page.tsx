"use client";

import type { VersionGraph } from "@nereid/services";
import { Banner, Card, formatBytes, Message, Select, Skeleton } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useTRPC } from "../../lib/trpc.tsx";
import { BarList } from "../instances/bar-list.tsx";
import { ModelFrame } from "../models/model-frame.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { ProfileCard } from "./profile-card.tsx";
import { graphSearchParams } from "./search-params.ts";

/** What a model's graph is made of, where its nodes run, and where the time goes. */
export function GraphPage({ name }: { readonly name: string }) {
  const trpc = useTRPC();
  const [{ version }, setView] = useQueryStates(graphSearchParams);
  const query = useQuery(trpc.graph.get.queryOptions({ name }));
  const { data } = query;
  const shown =
    data?.versions.find((one) => one.version === version) ?? (version === null ? data?.versions[0] : undefined);
  return (
    <ModelFrame name={name} current="graph">
      {query.isError && data !== undefined ? (
        <Banner tone="warn">The graph could not be read again. What is shown is from before.</Banner>
      ) : null}
      {data === undefined ? (
        query.isError ? (
          <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        ) : (
          <Skeleton className="h-64" />
        )
      ) : data.why !== null ? (
        <Message kind="empty" title="There is no graph to show">
          {data.why}
        </Message>
      ) : (
        <>
          {data.versions.length < 2 && version === null ? null : (
            <Select
              aria-label="Version"
              value={shown?.version ?? ""}
              onChange={(event) => void setView({ version: event.target.value || null }, { history: "push" })}
            >
              {shown === undefined ? <option value="">Version {version} (not there)</option> : null}
              {data.versions.map((one) => (
                <option key={one.version} value={one.version}>
                  Version {one.version}
                </option>
              ))}
            </Select>
          )}
          {shown === undefined ? (
            <Message kind="missing" title={`There is no version ${version}`} />
          ) : (
            <>
              <OperatorsCard version={shown} />
              <ProfileCard
                key={shown.version}
                model={name}
                version={shown.version}
                refusal={data.unprofilable ?? (shown.ready ? null : "Load this version to profile it.")}
              />
            </>
          )}
        </>
      )}
    </ModelFrame>
  );
}

function OperatorsCard({ version }: { readonly version: VersionGraph }) {
  const { graph, placement, bytes } = version;
  if (graph === null)
    return (
      <Message kind="empty" title={`Version ${version.version} has no graph`}>
        It has no ONNX file that can be read.
      </Message>
    );
  const operators = Object.entries(graph.operators).sort(([, a], [, b]) => b - a);
  const nodes = operators.reduce((sum, [, count]) => sum + count, 0);
  const opset = Object.entries(graph.opset).map(([domain, number]) => `${domain === "" ? "ONNX" : domain} ${number}`);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card
        title="Operators"
        hint={`${nodes} ${nodes === 1 ? "node" : "nodes"} of ${operators.length} ${operators.length === 1 ? "kind" : "kinds"}, opset ${opset.join(", ")}${graph.producer === "" ? "" : `, made by ${graph.producer}`}, ${formatBytes(bytes)}`}
      >
        {operators.length === 0 ? (
          <Message kind="empty" title="The graph has no nodes" />
        ) : (
          <BarList
            label="Nodes by operator"
            unit="Nodes"
            bars={operators.map(([label, count]) => ({ label, count }))}
          />
        )}
      </Card>
      <Card title="Providers" hint="Where the engine put the nodes of the optimised graph.">
        {placement === null ? (
          <p className="text-ink-soft">
            {version.ready
              ? "All nodes run on the CPU: no other provider is asked for in the configuration."
              : "Told once the version is loaded."}
          </p>
        ) : (
          <BarList
            label="Nodes by execution provider"
            unit="Nodes"
            bars={Object.entries(placement)
              .sort(([, a], [, b]) => b - a)
              .map(([label, count]) => ({ label: label.replace(/ExecutionProvider$/, ""), count }))}
          />
        )}
      </Card>
    </div>
  );
}
