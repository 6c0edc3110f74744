"use client";

import type { Simulation, SimulationFigures, VersionBatching } from "@nereid/client";
import { Banner, Button, Card, Field, formatDuration, formatNumber, formatShare, Table, Td, Th, Tr } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { whatIfSearchParams } from "./search-params.ts";

type Typed = Record<keyof typeof whatIfSearchParams, string>;

const FIELDS: readonly (readonly [keyof Typed, string])[] = [
  ["tryInstances", "Instances to try"],
  ["tryBatch", "Largest batch to try"],
  ["tryDelay", "Longest wait to try, µs"],
  ["tryPreferred", "Preferred sizes to try"],
];

const ms = (ns: number | null) => formatDuration(ns === null ? null : ns / 1e6);
const ROWS: readonly (readonly [string, (figures: SimulationFigures) => string])[] = [
  ["Median latency", ({ p50Ns }) => ms(p50Ns)],
  ["99th percentile", ({ p99Ns }) => ms(p99Ns)],
  ["Requests per second", ({ requestsPerSecond }) => formatNumber(requestsPerSecond)],
  ["Mean batch", ({ meanBatch }) => formatNumber(meanBatch)],
  ["Busy", ({ busy }) => formatShare(busy)],
  ["Not answered", ({ unanswered }) => formatNumber(unanswered)],
];

/** What other instances and batches would have made of the requests that came. */
export function WhatIfCard({ model, version }: { readonly model: string; readonly version: VersionBatching }) {
  const trpc = useTRPC();
  const [params, setParams] = useQueryStates(whatIfSearchParams);
  const isAsked = Object.values(params).some((value) => value !== null);
  const asked: Typed = {
    tryInstances: params.tryInstances ?? "",
    tryBatch: params.tryBatch ?? "",
    tryDelay: params.tryDelay ?? "",
    tryPreferred: params.tryPreferred ?? "",
  };
  const usual = String(version.instances.filter(({ passive }) => !passive).length);
  const [typed, setTyped] = useState<Typed>(isAsked ? asked : { ...asked, tryInstances: usual });
  const number = (text: string) => (text.trim() === "" ? undefined : Number(text));
  const preferred = asked.tryPreferred.replaceAll(/\s+/g, "");
  const query = useQuery({
    ...trpc.batching.simulate.queryOptions({
      name: model,
      version: version.version,
      instances: number(asked.tryInstances),
      maxBatchSize: number(asked.tryBatch),
      maxQueueDelayUs: number(asked.tryDelay),
      ...(preferred === "" ? {} : { preferred }),
    }),
    enabled: isAsked,
    retry: false,
    staleTime: 0,
  });
  return (
    <Card title="What if" hint="Simulated on the requests of the last 5 minutes. Nothing is changed; empty = as it is.">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (FIELDS.every(([field]) => asked[field] === typed[field])) void query.refetch();
          else void setParams(typed, { history: "push" });
        }}
      >
        <div className="grid grid-cols-1 gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-4">
          {FIELDS.map(([field, label]) => (
            <Field
              key={field}
              label={label}
              inputMode={field === "tryPreferred" ? "text" : "numeric"}
              value={typed[field]}
              onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
            />
          ))}
        </div>
        <Button type="submit" size="small" busy={query.isFetching}>
          Simulate
        </Button>
        {query.isError ? <Banner tone="warn">Not simulated: {shownError(query.error).message}</Banner> : null}
        {query.data === undefined ? null : <Answer answer={query.data} />}
      </form>
    </Card>
  );
}

function Answer({ answer }: { readonly answer: Simulation }) {
  const unsure = answer.unmeasured.map(({ batchSize, kind }) => `${batchSize}${kind === "beyond" ? " (beyond)" : ""}`);
  return (
    <div className="space-y-2">
      <Table label="Measured and simulated">
        <thead>
          <tr>
            <Th>What</Th>
            <Th numeric>Measured</Th>
            <Th numeric>Simulated as it is</Th>
            <Th numeric>Simulated what if</Th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([label, words]) => (
            <Tr key={label}>
              <Td>{label}</Td>
              <Td numeric>{words(answer.measured)}</Td>
              <Td numeric>{words(answer.present)}</Td>
              <Td numeric>{words(answer.proposed)}</Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <p className="max-w-prose text-[0.893rem] text-ink-soft">
        {formatNumber(answer.arrivals)} requests, each at the moment it came
        {answer.isWhole ? "" : "; more came than is kept, so these are the newest"}. Execution times are those measured.
        The distance between the first two columns tells how far to trust the third. Clients are taken to send as they
        did, and instances not to slow each other down.
      </p>
      {unsure.length === 0 ? null : (
        <p className="text-[0.893rem] text-warn">
          Never measured, reckoned from other sizes: batches of {unsure.join(", ")}.
        </p>
      )}
      {answer.tooLarge === 0 ? null : (
        <p className="text-[0.893rem] text-warn">
          {formatNumber(answer.tooLarge)} requests have more items than such a batch may, and were left out.
        </p>
      )}
    </div>
  );
}
