"use client";

import type { LogLine } from "@nereid/client";
import { Button, cn, formatClock } from "@nereid/ui";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { splitMatches } from "./log-text.ts";

const TONES = {
  debug: "text-ink-soft",
  info: "text-busy",
  warn: "text-warn",
  error: "text-bad",
} as const;

const SOURCES = { runner: "printed", model: "model", request: "request", access: "access" } as const;
const ROW_PX = 24;
/** So near to the end counts as at the end. */
const NEAR_PX = 40;

export interface LogRowsProps {
  readonly lines: readonly LogLine[];
  readonly q: string;
  readonly wrap: boolean;
  readonly follow: boolean;
  readonly onFollow: (follow: boolean) => void;
}

/** The lines, of which only those on the screen are drawn. Following stops when somebody scrolls up. */
export function LogRows({ lines, q, wrap, follow, onFollow }: LogRowsProps) {
  const frame = useRef<HTMLElement>(null);
  const lastTop = useRef(0);
  const newest = lines.at(-1)?.id ?? 0;
  const [seen, setSeen] = useState(newest);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
    getItemKey: (index) => lines[index]?.id ?? index,
  });
  const height = rows.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves with the height and with the newest line
  useEffect(() => {
    const element = frame.current;
    if (!follow || element === null) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
    setSeen(newest);
  }, [follow, height, newest]);
  const onScroll = () => {
    const element = frame.current;
    if (element === null) return;
    const up = element.scrollTop < lastTop.current;
    lastTop.current = element.scrollTop;
    const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
    if (up && !atEnd && follow) {
      setSeen(newest);
      onFollow(false);
    } else if (!up && atEnd && !follow) onFollow(true);
  };
  const unseen = follow ? 0 : lines.filter(({ id }) => id > seen).length;
  const items = rows.getVirtualItems();
  return (
    <div className="relative">
      <section
        ref={frame}
        aria-label="Log lines"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        className="h-[min(36rem,60dvh)] overflow-auto rounded-b-lg font-mono text-[0.857rem]"
      >
        <div style={{ height }} className="relative min-w-full">
          <ol
            style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
            className={wrap ? undefined : "w-max min-w-full"}
          >
            {items.map((item) => {
              const line = lines[item.index];
              return line === undefined ? null : (
                <li
                  key={item.key}
                  ref={rows.measureElement}
                  data-index={item.index}
                  className={cn(
                    "flex gap-x-3 border-line/50 border-b px-4 py-0.5 hover:bg-raised/50",
                    wrap && "flex-wrap sm:flex-nowrap",
                  )}
                >
                  <LineHead line={line} />
                  <span
                    className={cn(
                      "min-w-0",
                      wrap ? "basis-full [overflow-wrap:anywhere] sm:basis-auto" : "whitespace-pre",
                    )}
                  >
                    <Marked text={line.text} q={q} />
                    {line.requestId === "" ? null : (
                      <span className="text-ink-soft">
                        {" "}
                        id <Marked text={line.requestId} q={q} />
                      </span>
                    )}
                  </span>
                </li>
              );
            })}
          </ol>
        </div>
      </section>
      {follow ? null : (
        <Button
          size="small"
          tone="primary"
          className="absolute right-5 bottom-3 shadow-lg"
          onClick={() => onFollow(true)}
        >
          <ArrowDown aria-hidden />
          {unseen === 0 ? "Follow" : `${unseen} new`}
        </Button>
      )}
    </div>
  );
}

function LineHead({ line }: { readonly line: LogLine }) {
  const place = [line.version === "" ? "" : `v${line.version}`, line.instance].filter((part) => part !== "").join(" ");
  return (
    <>
      <time
        dateTime={new Date(line.atMs).toISOString()}
        title={new Date(line.atMs).toISOString()}
        className="text-ink-soft"
      >
        {formatClock(line.atMs / 1000)}
      </time>
      <span className={cn("w-10 shrink-0 font-medium", TONES[line.level])}>{line.level}</span>
      <span className="w-16 shrink-0 text-ink-soft">{SOURCES[line.source]}</span>
      <span className="w-24 shrink-0 truncate text-ink-soft" title={place}>
        {place}
      </span>
    </>
  );
}

function Marked({ text, q }: { readonly text: string; readonly q: string }) {
  return splitMatches(text, q).map(({ text: part, hit, at }) =>
    hit ? (
      <mark key={at} className="rounded-sm bg-accent text-accent-ink">
        {part}
      </mark>
    ) : (
      <span key={at}>{part}</span>
    ),
  );
}
