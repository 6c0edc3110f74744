"use client";

import { Button, Card, type DroppedFile, DropZone, Field, formatBytes } from "@nereid/ui";
import { useEffect, useState } from "react";
import { takeDroppedFiles } from "./dropped-files-store.ts";
import { isUploadVersion } from "./is-upload-version.ts";
import { OpenDrafts } from "./open-drafts.tsx";
import type { Deploy } from "./use-deploy.ts";

/** Takes files and says what will be sent before anything is. */
export function StartCard({ deploy }: { readonly deploy: Deploy }) {
  const [files, setFiles] = useState<readonly DroppedFile[]>([]);
  const [model, setModel] = useState("");
  const [version, setVersion] = useState("");
  useEffect(() => {
    const waiting = takeDroppedFiles();
    if (waiting.length > 0) setFiles(waiting);
  }, []);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const badVersion = version !== "" && !isUploadVersion(version);

  return (
    <>
      <Card>
        {files.length === 0 ? (
          <DropZone
            label="Drop a model here"
            hint={
              <>
                An <code className="font-mono text-ink">.onnx</code> file, a model folder, or a zip or tar of one.
                External weights and labels may lie beside it.
              </>
            }
            onFiles={setFiles}
          />
        ) : (
          <form
            className="space-y-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (!badVersion) void deploy.begin(files, { model, version }).catch(() => undefined);
            }}
          >
            <div>
              <h2 className="font-semibold">
                {files.length === 1 ? "1 file" : `${files.length} files`}, {formatBytes(bytes)}
              </h2>
              <ul className="mt-1 max-h-52 overflow-y-auto font-mono text-[0.857rem] text-ink-soft">
                {files.slice(0, 200).map(({ path, file }) => (
                  <li key={path} className="flex justify-between gap-4 [overflow-wrap:anywhere]">
                    <span>{path}</span>
                    <span className="shrink-0">{formatBytes(file.size)}</span>
                  </li>
                ))}
                {files.length > 200 ? <li>and {files.length - 200} more</li> : null}
              </ul>
            </div>
            <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
              <Field
                label="Model name"
                hint="Empty: the name of the file or folder."
                value={model}
                onChange={(event) => setModel(event.target.value)}
              />
              <Field
                label="Version"
                hint="Empty: the next free number."
                inputMode="numeric"
                value={version}
                error={badVersion ? "A whole number from 1." : undefined}
                onChange={(event) => setVersion(event.target.value)}
              />
            </div>
            <div className="flex flex-wrap gap-2">
              <Button type="submit" tone="primary" busy={deploy.busy}>
                Upload and check
              </Button>
              <Button type="button" onClick={() => setFiles([])}>
                Choose other files
              </Button>
            </div>
          </form>
        )}
      </Card>
      <OpenDrafts onShow={deploy.show} />
    </>
  );
}
