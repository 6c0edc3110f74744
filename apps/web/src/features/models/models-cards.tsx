"use client";

import { cn } from "@nereid/ui";
import { Sparkline } from "@nereid/ui/charts";
import { Fragment, useRef } from "react";
import { useVirtualRows } from "../../lib/use-virtual-rows.ts";
import { LoadProgress } from "./load-progress.tsx";
import { ModelButtons } from "./model-buttons.tsx";
import { modelFigures } from "./model-figures.ts";
import { ModelName, ModelStatePill, ModelStateReason } from "./model-name-cell.tsx";
import { isLoaded } from "./model-state.ts";
import type { ModelsViewProps } from "./models-table.tsx";

/** Height of a card without a reason or a progress, pixels. */
const CARD_PX = 164;

/** The same list for narrow screens. */
export function ModelsCards({ models, byModel, actions }: ModelsViewProps) {
  const list = useRef<HTMLUListElement>(null);
  const { virtual, rows, after, measure, keep } = useVirtualRows({
    count: models.length,
    estimate: CARD_PX,
    frame: list,
  });
  return (
    <ul ref={list}>
      {rows.map(({ index, gap }) => {
        const model = models[index];
        if (model === undefined) return null;
        const summary = byModel?.get(model.name);
        const figures = modelFigures(summary, { live: byModel !== undefined, loaded: isLoaded(model) });
        const shown = [
          { name: "Req/s", value: figures.requests },
          { name: "p99", value: figures.p99 },
          { name: "Errors", value: figures.errors, alarming: figures.errorsAlarming },
          { name: "Queue", value: figures.queueShare },
        ];
        return (
          <Fragment key={model.name}>
            {gap === 0 ? null : <li aria-hidden style={{ height: gap }} />}
            <li
              ref={measure}
              data-index={index}
              onFocus={() => keep(index)}
              className={cn("space-y-3 p-4", index > 0 && "border-line border-t")}
              {...(virtual && { "aria-setsize": models.length, "aria-posinset": index + 1 })}
            >
              <div className="flex items-start justify-between gap-3">
                <ModelName model={model} />
                <ModelStatePill model={model} pending={actions.pendingOf(model.name)} />
              </div>
              <ModelStateReason model={model} pending={actions.pendingOf(model.name)} />
              <LoadProgress model={model} actions={actions} />
              <dl className="grid grid-cols-4 gap-2">
                {shown.map(({ name, value, alarming }) => (
                  <div key={name}>
                    <dt className="text-[0.786rem] text-ink-soft">{name}</dt>
                    <dd className={cn("font-mono text-[0.893rem]", alarming && "font-medium text-bad")}>{value}</dd>
                  </div>
                ))}
              </dl>
              <div className="flex items-center justify-between gap-3">
                <Sparkline
                  values={summary?.trend ?? []}
                  label={`Requests per second of ${model.name}, last 40 s; now ${figures.requests}`}
                />
                <ModelButtons model={model} actions={actions} requestsPerSecond={summary?.requestsPerSecond ?? 0} />
              </div>
            </li>
          </Fragment>
        );
      })}
      {after === 0 ? null : <li aria-hidden style={{ height: after }} />}
    </ul>
  );
}
