"use client";

import type { LabJobView } from "@nereid/services";
import { Banner, Button, Card, formatDuration, formatNumber, Message, Skeleton, Table, Td, Th, Tr } from "@nereid/ui";
import { useQueries } from "@tanstack/react-query";
import { X } from "lucide-react";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { jobPath } from "../lab/lab-words.ts";
import { QueryError } from "../shell/query-error.tsx";
import { changeText, sharedLevels } from "./compare-rows.ts";
import { levelWords } from "./load-test-words.ts";
import { readLoadTest } from "./use-result.ts";

export interface CompareCardProps {
  readonly first: string;
  readonly second: string;
  readonly onClose: () => void;
}

/** Two runs side by side, level by level. */
export function CompareCard({ first, second, onClose }: CompareCardProps) {
  const trpc = useTRPC();
  const queries = useQueries({ queries: [first, second].map((id) => trpc.lab.get.queryOptions({ id })) });
  const failed = queries.find(({ isError }) => isError);
  const [one, other] = queries.map(({ data }) => data);
  const close = (
    <Button size="small" tone="quiet" onClick={onClose}>
      <X aria-hidden />
      Close
    </Button>
  );
  return (
    <Card flush title="Two runs" hint="The second against the first, at the levels that both have." actions={close}>
      {one !== undefined && other !== undefined ? (
        <Comparison first={one} second={other} />
      ) : failed === undefined ? (
        <Skeleton className="m-4 h-32" />
      ) : (
        <QueryError error={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
      )}
    </Card>
  );
}

function Comparison({ first, second }: { readonly first: LabJobView; readonly second: LabJobView }) {
  const [one, other] = [readLoadTest(first), readLoadTest(second)];
  const rows = sharedLevels(one.result?.levels ?? [], other.result?.levels ?? []);
  const load = one.spec?.load;
  if (load === undefined || rows.length === 0) {
    return (
      <Message kind="empty" title="They have no level in common">
        Run the second again with the load of the first.
      </Message>
    );
  }
  return (
    <>
      <p className="px-4 py-3 [overflow-wrap:anywhere]">
        {[first, second].map((job, at) => (
          <span key={job.id} className="block">
            <span className="text-ink-soft">{at === 0 ? "First: " : "Second: "}</span>
            <Link href={jobPath(job)} className="inline-flex min-h-[24px] items-center rounded-sm underline">
              {job.title}
            </Link>
          </span>
        ))}
      </p>
      {first.model === second.model ? null : (
        <Banner tone="warn">They are of two models: what differs may be the models alone.</Banner>
      )}
      <Table label="Two runs">
        <thead>
          <tr>
            <Th>Level</Th>
            <Th numeric>Throughput, a second</Th>
            <Th numeric>p50</Th>
            <Th numeric>p99</Th>
            <Th numeric>Failed</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ level, first: { client: a }, second: { client: b } }) => (
            <Tr key={level}>
              <Td className="whitespace-nowrap">{levelWords(load, level)}</Td>
              <Pair first={a.throughput} second={b.throughput} format={formatNumber} />
              <Pair first={a.p50} second={b.p50} format={formatDuration} />
              <Pair first={a.p99} second={b.p99} format={formatDuration} />
              <Td numeric>
                {a.failed} → {b.failed}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}

interface PairProps {
  readonly first: number | null;
  readonly second: number | null;
  readonly format: (value: number | null) => string;
}

function Pair({ first, second, format }: PairProps) {
  const change = changeText(first, second);
  return (
    <Td numeric>
      {format(first)} → {format(second)}
      {change === null ? null : <span className="block text-[0.786rem] text-ink-soft">{change}</span>}
    </Td>
  );
}
