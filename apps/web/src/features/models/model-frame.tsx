"use client";

import { Banner, Button, Message } from "@nereid/ui";
import type { ReactNode } from "react";
import { shownError } from "../../lib/api-error.ts";
import Link from "../../lib/link.tsx";
import { LoadProgress } from "./load-progress.tsx";
import { ModelStatePill } from "./model-name-cell.tsx";
import { type ModelTab, ModelTabs } from "./model-tabs.tsx";
import { useModelActions } from "./use-model-actions.ts";
import { useModelDetail } from "./use-model-detail.ts";

export interface ModelFrameProps {
  readonly name: string;
  readonly current: ModelTab;
  readonly children: ReactNode;
}

/** Name, state and tabs of a model around one of its pages. A model that does not exist has no pages. */
export function ModelFrame({ name, current, children }: ModelFrameProps) {
  const detail = useModelDetail(name);
  const actions = useModelActions();
  const model = detail.data?.status;
  if (detail.isError && shownError(detail.error).code === "NOT_FOUND") return <NoSuchModel name={name} />;
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h1 className="font-semibold text-xl leading-tight tracking-tight [overflow-wrap:anywhere]">{name}</h1>
        {model === undefined ? null : (
          <>
            <ModelStatePill model={model} pending={actions.pendingOf(name)} />
            <LoadProgress model={model} actions={actions} />
          </>
        )}
      </div>
      <ModelTabs name={name} current={current} />
      {detail.isError && model !== undefined ? (
        <Banner tone="warn">The data plane does not answer. What is shown is from before.</Banner>
      ) : null}
      {children}
    </div>
  );
}

/** Stands where the pages of a model would be. */
export function NoSuchModel({ name }: { readonly name: string }) {
  return (
    <Message
      kind="missing"
      page
      title={`There is no model called ${name}`}
      action={
        <Button asChild>
          <Link href="/models">All models</Link>
        </Button>
      }
    >
      It may have been renamed or taken out of the repository.
    </Message>
  );
}
