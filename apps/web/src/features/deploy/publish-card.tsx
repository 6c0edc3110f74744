"use client";

import type { Draft, DraftReport } from "@nereid/client";
import { Button, Card, Checkbox, CopyAsMenu, Field } from "@nereid/ui";
import { useState } from "react";
import { copyPublish } from "./copy-publish.ts";
import type { Deploy } from "./use-deploy.ts";

/** The one step that changes the repository. */
export function PublishCard(props: { readonly deploy: Deploy; readonly draft: Draft; readonly report: DraftReport }) {
  const { deploy, draft, report } = props;
  const [load, setLoad] = useState(true);
  const [reason, setReason] = useState("");
  const ready = draft.state === "ready";
  const { model, version, newModel, config } = report;
  return (
    <Card title="Publish">
      <ul className="mb-4 list-disc space-y-1 pl-5 text-ink-soft">
        <li>
          {newModel ? (
            <>
              Creates the model <b className="text-ink">{model}</b> with version {version}.
            </>
          ) : (
            <>
              Adds version {version} to <b className="text-ink">{model}</b>; the other versions stay as they are.
            </>
          )}
        </li>
        <li>
          {config.before === null
            ? "Writes config.pbtxt."
            : config.before === config.text
              ? "Leaves config.pbtxt as it is."
              : "Replaces config.pbtxt; its history keeps the old one."}
        </li>
        <li>
          {load
            ? newModel
              ? "Loads it."
              : "Loads it and switches requests over; those that are running finish where they are."
            : "Loads nothing."}
        </li>
      </ul>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          deploy.publish.mutate({ id: draft.id, load, ...(reason !== "" && { reason }) });
        }}
      >
        <Checkbox label="Load it now" checked={load} onChange={(event) => setLoad(event.target.checked)} />
        <div className="max-w-xl">
          <Field
            label="Reason"
            hint="Optional; goes into the audit log."
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" tone="primary" disabled={!ready} busy={deploy.publish.isPending}>
            Publish {model}/{version}
          </Button>
          <CopyAsMenu
            {...copyPublish({
              origin: typeof location === "undefined" ? "" : location.origin,
              draft: draft.id,
              load,
              reason,
            })}
          />
          {ready ? null : <p className="text-ink-soft">Mend what the check found first.</p>}
        </div>
      </form>
    </Card>
  );
}
