"use client";

import { Badge, Button, Input, Select } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { Search, TriangleAlert, X } from "lucide-react";
import { debounce, useQueryStates } from "nuqs";
import { useTRPC } from "../../lib/trpc.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { useNode } from "../nodes/node-context.tsx";
import { KIND_LOOKS } from "./kind-looks.ts";
import { EVENT_KINDS } from "./kinds.ts";
import { eventsSearchParams } from "./search-params.ts";

const REST_MS = 300;

/** Narrows the line of time down; everything of it is in the address. */
export function EventsFilters() {
  const trpc = useTRPC();
  const [view, setView] = useQueryStates(eventsSearchParams);
  const { from, to, kind, trouble, model, on, actor, q } = view;
  const { choices } = useNode();
  const known = useQuery(trpc.models.list.queryOptions()).data?.map(({ name }) => name) ?? [];
  const models = model === "" || known.includes(model) ? known : [model, ...known];
  const fixed = from !== null && to !== null;
  const narrowed = fixed || trouble || kind.length > 0 || [model, on, actor, q].some((text) => text !== "");
  const later = { limitUrlUpdates: debounce(REST_MS) };
  return (
    <div className="space-y-2">
      {fixed ? (
        <Badge tone="accent">
          <LocalTime at={new Date(from * 1000)} /> – <LocalTime at={new Date(to * 1000)} />
        </Badge>
      ) : null}
      <search className="flex flex-wrap items-center gap-2">
        <div className="relative w-full sm:w-64">
          <Search aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-ink-soft" />
          <Input
            type="search"
            aria-label="Search what, why, model or who"
            placeholder="What, why, model or who"
            className="pl-8.5"
            maxLength={200}
            value={q}
            onChange={({ target }) => void setView({ q: target.value }, later)}
          />
        </div>
        <Input
          aria-label="Who"
          placeholder="Who"
          className="w-32"
          maxLength={200}
          value={actor}
          onChange={({ target }) => void setView({ actor: target.value }, later)}
        />
        <Select
          aria-label="Model"
          value={model}
          onChange={({ target }) => void setView({ model: target.value }, { history: "push" })}
        >
          <option value="">All models</option>
          {models.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
        {choices.length < 2 && on === "" ? null : (
          <Select
            aria-label="Node of the events"
            value={on}
            onChange={({ target }) => void setView({ on: target.value }, { history: "push" })}
          >
            <option value="">All nodes</option>
            {choices.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        {narrowed ? (
          <Button size="small" tone="quiet" onClick={() => void setView({ ...NOTHING }, { history: "push" })}>
            <X aria-hidden />
            Reset
          </Button>
        ) : null}
      </search>
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">Kinds of events</legend>
        <Button
          size="small"
          tone={trouble ? "primary" : "plain"}
          aria-pressed={trouble}
          title="Failures that nobody asked for, and alerts that began"
          onClick={() => void setView({ trouble: !trouble }, { history: "push" })}
        >
          <TriangleAlert aria-hidden />
          Trouble only
        </Button>
        {EVENT_KINDS.map((one) => {
          const { Icon, name } = KIND_LOOKS[one];
          const pressed = kind.includes(one);
          const next = pressed ? kind.filter((other) => other !== one) : [...kind, one];
          return (
            <Button
              key={one}
              size="small"
              tone={pressed ? "primary" : "plain"}
              aria-pressed={pressed}
              onClick={() => void setView({ kind: next }, { history: "push" })}
            >
              <Icon aria-hidden />
              {name}
            </Button>
          );
        })}
      </fieldset>
    </div>
  );
}

const NOTHING = { from: null, to: null, kind: null, trouble: null, model: null, on: null, actor: null, q: null };
