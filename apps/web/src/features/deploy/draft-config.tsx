"use client";

import type { DraftReport } from "@nereid/client";
import { diagnoseConfig } from "@nereid/model-config";
import { Button, Card, ToggleGroup } from "@nereid/ui";
import { ConfigDiff, ConfigEditor } from "@nereid/ui/config-editor";
import { useState } from "react";
import type { Deploy } from "./use-deploy.ts";

const SOURCES = {
  draft: "your text",
  upload: "came with the upload",
  existing: "the model’s own, unchanged",
  proposed: "proposed from the graph",
} as const;

/** The configuration that will be written: to be read, changed, and compared with the one that stands there. */
export function DraftConfig({ deploy, report }: { readonly deploy: Deploy; readonly report: DraftReport }) {
  const { config, graph, model } = report;
  const [text, setText] = useState(config.text);
  const [view, setView] = useState<"text" | "diff">("text");
  const changed = text !== config.text;
  const diagnostics = diagnoseConfig({ text, modelName: model, graph });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return (
    <Card
      title="Configuration"
      hint={`${SOURCES[config.source]}${errors.length > 0 ? `, ${errors.length === 1 ? "1 error" : `${errors.length} errors`}` : ""}`}
      actions={
        config.before === null ? null : (
          <ToggleGroup
            label="View of the configuration"
            value={view}
            options={[
              { value: "text", label: "Text" },
              { value: "diff", label: "Changes" },
            ]}
            onChange={setView}
          />
        )
      }
    >
      {view === "diff" && config.before !== null ? (
        <ConfigDiff
          before={config.before}
          after={text}
          beforeLabel="In the repository now"
          afterLabel="To be published"
        />
      ) : (
        <ConfigEditor
          label="Configuration to be published"
          value={text}
          onChange={setText}
          diagnosis={{ text, diagnostics }}
        />
      )}
      {changed ? (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button
            tone="primary"
            busy={deploy.busy}
            onClick={() => void deploy.change({ configText: text }).catch(() => undefined)}
          >
            Use this text and check again
          </Button>
          <Button onClick={() => setText(config.text)}>Undo my changes</Button>
        </div>
      ) : null}
    </Card>
  );
}
