"use client";

import type { Draft } from "@nereid/client";
import { Banner, Button, Card } from "@nereid/ui";
import { CheckCircle2 } from "lucide-react";
import Link from "../../lib/link.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import type { Deploy } from "./use-deploy.ts";

/** What was published, and where to go from here. */
export function PublishedCard({ deploy, draft }: { readonly deploy: Deploy; readonly draft: Draft }) {
  const published = deploy.publish.data;
  const model = published?.model ?? draft.report?.model ?? draft.model ?? "";
  const version = published?.version ?? draft.report?.version ?? "";
  return (
    <Card>
      <div role="status" className="flex items-start gap-3">
        <CheckCircle2 aria-hidden className="mt-0.5 size-5 shrink-0 text-ok" />
        <div>
          <p className="font-semibold">
            {model}/{version} is published{published?.loaded === true ? " and serving" : ""}
          </p>
          <p className="text-ink-soft">
            {published?.loaded === true
              ? "Requests reach it now. The version before can be brought back with one click."
              : "It is in the repository; load it when you want it to serve."}
          </p>
        </div>
      </div>
      {published?.loadError == null ? null : (
        <div className="mt-3">
          <Banner tone="bad">
            <p>It did not load; what was served goes on.</p>
            <p className="[overflow-wrap:anywhere]">{published.loadError}</p>
          </Banner>
        </div>
      )}
      {(published?.warnings ?? []).map(({ code, message }) => (
        <p key={`${code} ${message}`} className="mt-2 text-warn [overflow-wrap:anywhere]">
          {message}
        </p>
      ))}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button asChild tone="primary">
          <Link href={modelPath(model)}>Open {model}</Link>
        </Button>
        <Button asChild>
          <Link href={`${modelPath(model)}/versions`}>Versions</Link>
        </Button>
        <Button
          onClick={() => {
            deploy.publish.reset();
            deploy.uploads.cancelAll();
            void deploy.leave();
          }}
        >
          Deploy another
        </Button>
      </div>
    </Card>
  );
}
