"use client";

import { Button, Card, Message, Skeleton } from "@nereid/ui";
import type { ReactNode } from "react";
import { QueryError } from "../shell/query-error.tsx";
import { useSession } from "../shell/session-context.tsx";
import { DeploySteps, stepOf } from "./deploy-steps.tsx";
import { PublishedCard } from "./published-card.tsx";
import { ReportView } from "./report-view.tsx";
import { StartCard } from "./start-card.tsx";
import { UploadsCard } from "./uploads-card.tsx";
import { useDeploy } from "./use-deploy.ts";

/** From a dropped file to a served model: upload, check, look, publish. */
export function DeployPage() {
  const { permissions } = useSession();
  const deploy = useDeploy();
  const { id, draft, query } = deploy;
  const allowed = permissions.includes("model.deploy");

  let content: ReactNode;
  if (!allowed) {
    content = (
      <Card flush>
        <Message kind="forbidden" title="Your role may not deploy models">
          An operator or an administrator can. Ask an administrator for the role of an operator.
        </Message>
      </Card>
    );
  } else if (id === null) content = <StartCard deploy={deploy} />;
  else if (draft === undefined) {
    content = (
      <Card flush>
        {query.isError ? (
          <>
            <QueryError error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
            <div className="flex justify-center pb-6">
              <Button onClick={() => void deploy.leave()}>Start a new deployment</Button>
            </div>
          </>
        ) : (
          <div role="status" className="p-4">
            <span className="sr-only">Loading the draft</span>
            <Skeleton className="h-48" />
          </div>
        )}
      </Card>
    );
  } else if (draft.state === "published" || deploy.publish.data !== undefined) {
    content = <PublishedCard deploy={deploy} draft={draft} />;
  } else {
    content = (
      <>
        <UploadsCard deploy={deploy} draft={draft} />
        <ReportView deploy={deploy} draft={draft} />
      </>
    );
  }

  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h1 className="font-semibold text-xl tracking-tight">Deploy</h1>
          <p className="text-ink-soft">Nothing is visible to clients before you publish it.</p>
        </div>
        {allowed ? <DeploySteps current={stepOf(draft, deploy.publish.data !== undefined)} /> : null}
      </div>
      {content}
    </div>
  );
}
