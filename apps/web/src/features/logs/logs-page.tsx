"use client";

import { Badge, Button, Card, Checkbox, CopyButton, Input, Message, Select, Skeleton } from "@nereid/ui";
import { Download } from "lucide-react";
import { debounce, useQueryStates } from "nuqs";
import { type ReactNode, useMemo } from "react";
import { downloadText } from "../../lib/download-text.ts";
import { useHydrated } from "../../lib/use-hydrated.ts";
import { ModelFrame } from "../models/model-frame.tsx";
import { useModelDetail } from "../models/use-model-detail.ts";
import { QueryError } from "../shell/query-error.tsx";
import { useSession } from "../shell/session-context.tsx";
import { LogRows } from "./log-rows.tsx";
import { logFile } from "./log-text.ts";
import { LEVELS, logsSearchParams, SINCE_MS, SINCES } from "./search-params.ts";
import { useLogLines } from "./use-log-lines.ts";
import { volumeOf } from "./volume.ts";
import { VolumeChart } from "./volume-chart.tsx";

const LEVEL_WORDS = {
  debug: "Everything",
  info: "Info and graver",
  warn: "Warnings and errors",
  error: "Errors",
} as const;
const SINCE_WORDS = { all: "All that is kept", "5m": "Last 5 min", "15m": "Last 15 min", "1h": "Last hour" } as const;
const SEARCH_REST_MS = 300;

/** What a model printed, what happened to it, and which of its requests failed; as it happens. */
export function LogsPage({ name }: { readonly name: string }) {
  const mayRead = useSession().permissions.includes("logs.read");
  return (
    <ModelFrame name={name} current="logs">
      {mayRead ? (
        <LogsCard key={name} model={name} />
      ) : (
        <Message kind="forbidden" title="You may not read logs">
          An administrator can give you a role that may.
        </Message>
      )}
    </ModelFrame>
  );
}

function LogsCard({ model }: { readonly model: string }) {
  const [view, setView] = useQueryStates(logsSearchParams);
  const { level, q, version, instance, since, wrap, follow } = view;
  const hydrated = useHydrated();
  const versions = useModelDetail(model).data?.status.versions ?? [];
  const sinceMs = useMemo(() => {
    const span = SINCE_MS[since];
    return span === undefined ? undefined : Date.now() - span;
  }, [since]);
  const live = useLogLines({
    model,
    level,
    ...(q === "" ? {} : { q }),
    ...(version === null ? {} : { version }),
    ...(instance === null ? {} : { instance }),
    ...(sinceMs === undefined ? {} : { since: sinceMs }),
  });
  const { lines } = live;
  const volume = useMemo(() => volumeOf(lines ?? []), [lines]);
  const instances = [...new Set((lines ?? []).map((line) => line.instance))].filter((one) => one !== "").sort();
  const filtered = q !== "" || version !== null || instance !== null || since !== "all" || level !== "debug";

  let content: ReactNode;
  if (lines === undefined) {
    content =
      live.error !== null ? (
        <QueryError error={live.error} onRetry={live.retry} retrying={live.retrying} />
      ) : (
        <Skeleton className="m-4 h-80" />
      );
  } else if (!hydrated) content = <Skeleton className="m-4 h-80" />;
  else if (lines.length === 0) {
    content = (
      <Message
        kind="empty"
        title={filtered ? "No line matches the filter" : "Nothing was said about this model yet"}
        action={
          filtered ? (
            <Button
              onClick={() => void setView({ level: "debug", q: "", version: null, instance: null, since: "all" })}
            >
              Show everything
            </Button>
          ) : undefined
        }
      >
        Lines appear here as soon as the model prints something, is loaded, or a request fails.
      </Message>
    );
  } else {
    content = (
      <>
        {volume === null ? null : <VolumeChart volume={volume} />}
        <LogRows lines={lines} q={q} wrap={wrap} follow={follow} onFollow={(next) => void setView({ follow: next })} />
      </>
    );
  }
  return (
    <Card
      flush
      title={
        <span className="inline-flex items-center gap-2.5">
          Logs
          {hydrated && lines !== undefined ? (
            live.live ? (
              <Badge tone="ok">Live</Badge>
            ) : (
              <Badge tone="warn">Not live</Badge>
            )
          ) : null}
        </span>
      }
      hint={
        lines === undefined
          ? "The server keeps the last 5,000 lines of all models."
          : `${lines.length} ${lines.length === 1 ? "line" : "lines"}; the server keeps the last 5,000 of all models`
      }
      actions={
        <>
          {live.live || lines === undefined ? null : (
            <Button size="small" className="h-8" onClick={live.retry}>
              Connect again
            </Button>
          )}
          <Checkbox label="Wrap lines" checked={wrap} onChange={() => void setView({ wrap: !wrap })} />
          <CopyButton text={logFile(lines ?? [])} label="Copy these lines" />
          <Button
            size="small"
            className="h-8"
            disabled={lines === undefined || lines.length === 0}
            onClick={() => downloadText(`${model}.log`, "text/plain", logFile(lines ?? []))}
          >
            <Download aria-hidden />
            Download
          </Button>
        </>
      }
    >
      <search className="flex flex-wrap gap-2 border-b px-4 py-3">
        <Input
          type="search"
          aria-label="Search in the lines"
          placeholder="Search text or request id"
          className="h-8 w-full sm:w-64"
          defaultValue={q}
          maxLength={200}
          onChange={(event) => void setView({ q: event.target.value }, { limitUrlUpdates: debounce(SEARCH_REST_MS) })}
        />
        <Select
          aria-label="Level"
          value={level}
          onChange={(event) => {
            const next = LEVELS.find((one) => one === event.target.value);
            if (next !== undefined) void setView({ level: next });
          }}
        >
          {LEVELS.map((one) => (
            <option key={one} value={one}>
              {LEVEL_WORDS[one]}
            </option>
          ))}
        </Select>
        <Select
          aria-label="Since"
          value={since}
          onChange={(event) => {
            const next = SINCES.find((one) => one === event.target.value);
            if (next !== undefined) void setView({ since: next });
          }}
        >
          {SINCES.map((one) => (
            <option key={one} value={one}>
              {SINCE_WORDS[one]}
            </option>
          ))}
        </Select>
        <Select
          aria-label="Version"
          value={version ?? ""}
          onChange={(event) => void setView({ version: event.target.value || null })}
        >
          <option value="">All versions</option>
          {versions.map((one) => (
            <option key={one.version} value={one.version}>
              Version {one.version}
            </option>
          ))}
        </Select>
        {instances.length === 0 && instance === null ? null : (
          <Select
            aria-label="Instance"
            value={instance ?? ""}
            onChange={(event) => void setView({ instance: event.target.value || null })}
          >
            <option value="">All instances</option>
            {[...new Set([...instances, ...(instance === null ? [] : [instance])])].map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </Select>
        )}
      </search>
      {content}
    </Card>
  );
}
