"use client";

import { Banner, Button, Checkbox, Message, Select, Skeleton, ToggleGroup } from "@nereid/ui";
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { ModelFrame } from "../models/model-frame.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { useModelDetail } from "../models/use-model-detail.ts";
import { useRange } from "../settings/preferences-context.tsx";
import { LiveBanner } from "../shell/live-banner.tsx";
import { QueryError } from "../shell/query-error.tsx";
import { usePromisedLatency } from "../slos/use-promised-latency.ts";
import { chartEventsOf, EventLegend, useChartEvents } from "./chart-events.tsx";
import { HistoryCharts, type HistoryData } from "./history-charts.tsx";
import { mergeLive } from "./merge-live.ts";
import { RangeBar } from "./range-bar.tsx";
import { HISTORY_RANGE_SECONDS, HISTORY_RANGES, latencySearchParams, OWN_RANGE } from "./search-params.ts";
import { isFollowed, windowOf, zoomTo } from "./time-window.ts";
import { useLiveLatency } from "./use-live-latency.ts";
import { useModelHistory } from "./use-model-history.ts";

const PERCENTILES = [
  { value: "p50", label: "p50" },
  { value: "p95", label: "p95" },
  { value: "p99", label: "p99" },
] as const;

/** One model's latency over any time that is kept: how long, since when, which part, which version. */
export function LatencyPage({ name }: { readonly name: string }) {
  // Requests within it are drawn beside all: goodput beside throughput.
  const sloMs = usePromisedLatency(name);
  const router = useRouter();
  const [params, setParams] = useQueryStates(latencySearchParams);
  const { version, split, compare, scale } = params;
  const range = useRange(params.range, HISTORY_RANGE_SECONDS, OWN_RANGE);
  const window = windowOf({ ...params, range }, HISTORY_RANGE_SECONDS);
  // What the address said when it was paused: one that has changed since, as by Back, is shown as it is.
  const view = JSON.stringify([name, params]);
  const [kept, setKept] = useState<{ readonly view: string; readonly data: HistoryData }>();
  const frozen = kept?.view === view ? kept.data : undefined;
  const [percentile, setPercentile] = useState<"p50" | "p95" | "p99">("p99");
  const hydrated = useHydrated();
  const paused = frozen !== undefined;
  const followed = isFollowed(window);
  const live = useLiveLatency(
    { model: name, ...(version === null ? {} : { version }) },
    { enabled: followed && !paused },
  );
  const { now, earlier } = useModelHistory({ model: name, window, version, split, compare, paused, sloMs }, live.rows);
  const versions = useModelDetail(name).data?.status.versions ?? [];
  const current: HistoryData | undefined = now.data && {
    history: now.data,
    shown: mergeLive(now.data, followed && split === null ? live.rows : undefined),
    earlier: compare ? earlier.data : undefined,
  };
  const data = frozen ?? current;
  const marks = useChartEvents(name, data?.shown ?? null);
  const change = (next: Parameters<typeof setParams>[0]) => {
    setKept(undefined);
    void setParams(next, { history: "push" });
  };
  const retry = () => void now.refetch();
  const showRequests = (t: number, more: Readonly<Record<string, string>> = {}) => {
    const step = data?.shown.step ?? 1;
    const query = new URLSearchParams({ from: String(t), to: String(t + step), ...more });
    router.push(`${modelPath(name)}/requests?${query}`);
  };
  return (
    <ModelFrame name={name} current="latency">
      {followed ? <LiveBanner facts={live.facts} onRetry={live.restart} /> : null}
      {now.isError && data !== undefined ? (
        <Banner tone="warn">
          <span className="mr-3">The history could not be read again; it is from before.</span>
          <Button size="small" busy={now.isFetching} onClick={retry}>
            Try again
          </Button>
        </Banner>
      ) : null}
      <div className="space-y-2">
        <RangeBar
          ranges={HISTORY_RANGES}
          window={window}
          shown={data?.shown ?? null}
          onRange={(next) => change({ range: next, from: null, to: null })}
          onFixed={(from, to) => change({ from, to })}
          pause={{
            paused,
            onPause: () => setKept(paused || current === undefined ? undefined : { view, data: current }),
          }}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Select
            aria-label="Version"
            value={version ?? ""}
            onChange={({ target }) => change({ version: target.value === "" ? null : target.value })}
          >
            <option value="">All versions</option>
            {versions.map((one) => (
              <option key={one.version} value={one.version}>
                Version {one.version}
              </option>
            ))}
          </Select>
          <Select
            aria-label="Split"
            value={split ?? ""}
            onChange={({ target }) =>
              change({ split: target.value === "version" || target.value === "node" ? target.value : null })
            }
          >
            <option value="">Together</option>
            <option value="version">By version</option>
            <option value="node">By node</option>
          </Select>
          {split === null ? null : (
            <ToggleGroup label="Percentile" value={percentile} options={PERCENTILES} onChange={setPercentile} />
          )}
          <Checkbox
            label="Compare with the period before"
            checked={compare}
            onChange={({ target }) => change({ compare: target.checked })}
          />
        </div>
      </div>
      {data === undefined || !hydrated ? (
        now.isError && data === undefined ? (
          <QueryError error={now.error} onRetry={retry} retrying={now.isFetching} />
        ) : (
          <div role="status" className="space-y-4">
            <span className="sr-only">Loading the history of {name}</span>
            <Skeleton className="h-20" />
            <Skeleton className="h-96" />
          </div>
        )
      ) : data.shown.rows.length === 0 && data.history.series.every(({ rows }) => rows.length === 0) ? (
        <Message kind="empty" title="Nothing was measured in this window">
          The dashboard keeps seconds for an hour, steps of ten seconds for a day and minutes for as long as the
          settings say. Choose another time.
        </Message>
      ) : (
        <HistoryCharts
          model={name}
          data={data}
          split={split}
          percentile={percentile}
          scale={scale}
          events={chartEventsOf(marks)}
          legend={<EventLegend events={marks} />}
          onScale={(next) => change({ scale: next })}
          onZoom={(first, last) => change(zoomTo(first, last, data.shown.step))}
          onPick={(t) => showRequests(t)}
          onPickCell={(t, slowerMs, fasterMs) =>
            showRequests(t, { slowerMs: slowerMs.toPrecision(6), fasterMs: fasterMs.toPrecision(6) })
          }
        />
      )}
    </ModelFrame>
  );
}
