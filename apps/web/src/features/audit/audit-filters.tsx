"use client";

import { Badge, Button, Input, Menu, MenuItem, Select } from "@nereid/ui";
import { Download, Search, X } from "lucide-react";
import { useQueryStates } from "nuqs";
import { auditSearchParams, OUTCOMES } from "./search-params.ts";
import type { AuditQuery } from "./use-audit-query.ts";

const KINDS = [
  { value: "model.", label: "Models" },
  { value: "version.", label: "Versions" },
  { value: "config.", label: "Configurations" },
  { value: "draft.", label: "Deployments" },
  { value: "user.", label: "Users" },
  { value: "key.", label: "Keys" },
  { value: "session.", label: "Sign-ins" },
] as const;

/** Narrows the trail down; everything of it is in the address. */
export function AuditFilters({ filter }: { readonly filter: AuditQuery }) {
  const [params, setParams] = useQueryStates(auditSearchParams);
  const any = Object.values(filter).some((value) => value !== undefined);
  const exportPath = (format: "csv" | "jsonl") =>
    `/api/v1/audit/export?${new URLSearchParams({
      format,
      ...Object.fromEntries(
        Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined),
      ),
    })}`;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <search className="relative block w-full sm:w-72">
        <Search aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-ink-soft" />
        <Input
          type="search"
          aria-label="Search who, what, reason or request"
          placeholder="Who, what, reason or request"
          className="pl-8.5"
          value={params.q}
          onChange={(event) => void setParams({ q: event.target.value || null })}
        />
      </search>
      <Select
        aria-label="Kind of action"
        value={params.action}
        onChange={(event) => void setParams({ action: event.target.value || null })}
      >
        <option value="">All actions</option>
        {KINDS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Outcome"
        value={params.outcome ?? ""}
        onChange={(event) =>
          void setParams({ outcome: OUTCOMES.find((known) => known === event.target.value) ?? null })
        }
      >
        <option value="">Any outcome</option>
        <option value="succeeded">Succeeded</option>
        <option value="failed">Failed or refused</option>
      </Select>
      {params.targetId === null ? null : (
        <Badge tone="accent">
          {params.targetType} {params.targetId}
        </Badge>
      )}
      {params.id === null ? null : <Badge tone="accent">One entry</Badge>}
      {any ? (
        <Button size="small" tone="quiet" onClick={() => void setParams(null)}>
          <X aria-hidden />
          Reset
        </Button>
      ) : null}
      <span className="ml-auto">
        <Menu
          trigger={
            <Button size="small">
              <Download aria-hidden />
              Export
            </Button>
          }
        >
          <MenuItem onSelect={() => window.location.assign(exportPath("csv"))}>CSV</MenuItem>
          <MenuItem onSelect={() => window.location.assign(exportPath("jsonl"))}>JSON lines</MenuItem>
        </Menu>
      </span>
    </div>
  );
}
