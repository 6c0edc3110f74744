"use client";

import type { ModelStatus } from "@nereid/client";
import type { ModelSummary } from "@nereid/services";
import { cn, Table, Td, Th, Tooltip, Tr } from "@nereid/ui";
import { Sparkline } from "@nereid/ui/charts";
import { Fragment, useRef } from "react";
import { SpacerRow } from "../../lib/spacer-row.tsx";
import { useVirtualRows } from "../../lib/use-virtual-rows.ts";
import { LoadProgress } from "./load-progress.tsx";
import { ModelButtons } from "./model-buttons.tsx";
import { modelFigures } from "./model-figures.ts";
import { ModelName, ModelStatePill, ModelStateReason } from "./model-name-cell.tsx";
import { isLoaded, versionText } from "./model-state.ts";
import type { ModelActions } from "./use-model-actions.ts";

export interface ModelsViewProps {
  readonly models: readonly ModelStatus[];
  readonly byModel: ReadonlyMap<string, ModelSummary> | undefined;
  readonly actions: ModelActions;
}

function Explained({ word, text }: { readonly word: string; readonly text: string }) {
  return (
    <Tooltip text={text}>
      <button
        type="button"
        className="min-h-[24px] min-w-[24px] cursor-help rounded-sm underline decoration-dotted underline-offset-3"
      >
        {word}
      </button>
    </Tooltip>
  );
}

/** Height of a row without a reason or a progress, pixels. */
const ROW_PX = 58;
const COLUMNS = 10;

/** All models with their live figures, one row each; for screens with room. Of a long list only what is near the screen is drawn. */
export function ModelsTable({ models, byModel, actions }: ModelsViewProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { virtual, rows, after, measure, keep } = useVirtualRows({
    count: models.length,
    estimate: ROW_PX,
    frame: body,
  });
  return (
    <Table label="Models" {...(virtual && { "aria-rowcount": models.length + 1 })}>
      <thead>
        <tr {...(virtual && { "aria-rowindex": 1 })}>
          <Th>Model</Th>
          <Th>State</Th>
          <Th>Versions</Th>
          <Th>Last 40 s</Th>
          <Th numeric>Req/s</Th>
          <Th numeric>
            <Explained word="Errors" text="Share of the requests of the last 10 s that failed." />
          </Th>
          <Th numeric>
            <Explained
              word="p99"
              text="99 of 100 requests of the last 10 s took at most this long, from acceptance to answer."
            />
          </Th>
          <Th numeric>
            <Explained
              word="Queue"
              text="Share of the mean request time that was spent waiting in the queue, last 10 s."
            />
          </Th>
          <Th numeric>
            <Explained word="Pending" text="Requests accepted and not yet executing." />
          </Th>
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map(({ index, gap }) => {
          const model = models[index];
          return model === undefined ? null : (
            <Fragment key={model.name}>
              <SpacerRow height={gap} columns={COLUMNS} />
              <Tr
                ref={measure}
                data-index={index}
                onFocus={() => keep(index)}
                {...(virtual && { "aria-rowindex": index + 2 })}
              >
                <ModelCells
                  model={model}
                  summary={byModel?.get(model.name)}
                  live={byModel !== undefined}
                  actions={actions}
                />
              </Tr>
            </Fragment>
          );
        })}
        <SpacerRow height={after} columns={COLUMNS} />
      </tbody>
    </Table>
  );
}

interface ModelCellsProps {
  readonly model: ModelStatus;
  readonly summary: ModelSummary | undefined;
  readonly live: boolean;
  readonly actions: ModelActions;
}

function ModelCells({ model, summary, live, actions }: ModelCellsProps) {
  const figures = modelFigures(summary, { live, loaded: isLoaded(model) });
  return (
    <>
      <Td>
        <ModelName model={model} />
      </Td>
      <Td>
        <div className="max-w-80">
          <ModelStatePill model={model} pending={actions.pendingOf(model.name)} />
          <ModelStateReason model={model} pending={actions.pendingOf(model.name)} />
          <LoadProgress model={model} actions={actions} />
        </div>
      </Td>
      <Td className="font-mono text-[0.893rem]">{versionText(model)}</Td>
      <Td>
        <Sparkline
          values={summary?.trend ?? []}
          label={`Requests per second of ${model.name}, last 40 s; now ${figures.requests}`}
        />
      </Td>
      <Td numeric>{figures.requests}</Td>
      <Td numeric className={cn(figures.errorsAlarming && "font-medium text-bad")}>
        {figures.errors}
      </Td>
      <Td numeric>{figures.p99}</Td>
      <Td numeric>{figures.queueShare}</Td>
      <Td numeric>{figures.pending}</Td>
      <Td>
        <ModelButtons model={model} actions={actions} requestsPerSecond={summary?.requestsPerSecond ?? 0} />
      </Td>
    </>
  );
}
