"use client";

import type { DraftReport } from "@nereid/client";
import { Badge, Button, Card, Field } from "@nereid/ui";
import { useState } from "react";
import { isUploadVersion } from "./is-upload-version.ts";
import type { Deploy } from "./use-deploy.ts";

/** Where it will go; both can still be changed. Keyed by the checked target, so that a new check shows its own. */
export function DraftTarget({ deploy, report }: { readonly deploy: Deploy; readonly report: DraftReport }) {
  const [model, setModel] = useState(report.model);
  const [version, setVersion] = useState(report.version);
  const changed = model !== report.model || version !== report.version;
  const badVersion = !isUploadVersion(version);
  return (
    <Card
      title={
        <>
          {report.model}, version {report.version}
        </>
      }
      actions={<Badge tone="accent">{report.newModel ? "new model" : "new version"}</Badge>}
    >
      <form
        className="grid items-start gap-4 sm:grid-cols-[minmax(0,20rem)_8rem_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          if (changed && !badVersion) void deploy.change({ model, version }).catch(() => undefined);
        }}
      >
        <Field label="Model name" value={model} onChange={(event) => setModel(event.target.value)} />
        <Field
          label="Version"
          inputMode="numeric"
          value={version}
          error={badVersion ? "A whole number from 1." : undefined}
          onChange={(event) => setVersion(event.target.value)}
        />
        <Button
          type="submit"
          className="justify-self-start sm:mt-6.5"
          disabled={!changed || badVersion}
          busy={deploy.busy}
        >
          Change and check again
        </Button>
      </form>
    </Card>
  );
}
