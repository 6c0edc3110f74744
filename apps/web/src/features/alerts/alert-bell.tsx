"use client";

import { Button } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";

/** How many alerts are open, on every page. */
export function AlertBell() {
  const trpc = useTRPC();
  const { data = [] } = useQuery(
    trpc.alerts.list.queryOptions({ state: "open", limit: 100 }, { refetchInterval: 10_000 }),
  );
  const waiting = data.filter(({ acknowledgedAtMs }) => acknowledgedAtMs === null).length;
  const words =
    data.length === 0 ? "Alerts: none open" : `Alerts: ${data.length} open, ${waiting} of them not acknowledged`;
  return (
    <Button asChild tone="quiet" size="icon" className="relative">
      <Link href="/alerts" aria-label={words} title={words}>
        <Bell aria-hidden />
        {data.length === 0 ? null : (
          <span
            aria-hidden
            className={`absolute -top-0.5 -right-0.5 grid min-w-4 place-items-center rounded-full px-1 font-medium font-mono text-[0.643rem] leading-4 ${waiting > 0 ? "bg-bad text-panel" : "bg-raised text-ink-soft"}`}
          >
            {data.length}
          </span>
        )}
      </Link>
    </Button>
  );
}
