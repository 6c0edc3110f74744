"use client";

import { Tabs } from "@nereid/ui";
import { useRef } from "react";
import Link from "../../lib/link.tsx";
import { useCurrentInSight } from "../../lib/use-current-in-sight.ts";
import { modelPath } from "./model-name-cell.tsx";

/** The pages of a model, in order. */
const PAGES = [
  { value: "overview", label: "Overview", path: "" },
  { value: "latency", label: "Latency", path: "/latency" },
  { value: "requests", label: "Requests", path: "/requests" },
  { value: "instances", label: "Instances", path: "/instances" },
  { value: "shapes", label: "Shapes", path: "/shapes" },
  { value: "playground", label: "Playground", path: "/playground" },
  { value: "logs", label: "Logs", path: "/logs" },
  { value: "memory", label: "Memory", path: "/memory" },
  { value: "graph", label: "Graph", path: "/graph" },
  { value: "config", label: "Config", path: "/config" },
  { value: "versions", label: "Versions", path: "/versions" },
] as const;

export type ModelTab = (typeof PAGES)[number]["value"];

/** The way between the pages of one model. */
export function ModelTabs({ name, current }: { readonly name: string; readonly current: ModelTab }) {
  const frame = useRef<HTMLDivElement>(null);
  useCurrentInSight(frame, current);
  return (
    <div ref={frame} className="relative">
      <Tabs
        label={`Pages of ${name}`}
        current={current}
        tabs={PAGES.map(({ value, label, path }) => ({ value, label, href: `${modelPath(name)}${path}` }))}
        renderLink={(props) => <Link {...props} />}
      />
    </div>
  );
}
