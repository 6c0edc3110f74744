"use client";

import type { Draft } from "@nereid/client";
import { Button, Card, ConfirmDialog, type DroppedFile, DropZone, formatBytes, ProgressBar } from "@nereid/ui";
import { Pause, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { allDone, statusText, type TotalProgress, type UploadState } from "./upload-state.ts";
import type { Deploy } from "./use-deploy.ts";

/** Files on their way, each with its own progress, and all together. */
export function UploadsCard({ deploy, draft }: { readonly deploy: Deploy; readonly draft: Draft }) {
  const { uploads } = deploy;
  const [confirming, setConfirming] = useState(false);
  const interrupted = uploads.list.filter(({ status }) => status.kind === "interrupted");
  const done = allDone(uploads.list);
  const goOn = (files: readonly DroppedFile[]) => {
    const known = files.filter(({ path, file }) =>
      interrupted.some((upload) => upload.path === path && upload.bytes === file.size),
    );
    if (known.length > 0) uploads.send(draft, known);
    else
      toast.error("None of these is a file that was interrupted", { description: "Name and size must be the same." });
  };
  return (
    <Card
      title={done ? "Files" : "Upload"}
      hint={totalText(uploads.total, done)}
      actions={
        <Button size="small" tone="quiet" onClick={() => setConfirming(true)}>
          <Trash2 aria-hidden />
          Discard
        </Button>
      }
    >
      {done ? null : (
        <ProgressBar
          label="All files"
          share={uploads.total.bytes === 0 ? null : uploads.total.sent / uploads.total.bytes}
          className="mb-3"
        />
      )}
      <ul className="max-h-80 space-y-2 overflow-y-auto">
        {uploads.list.map((upload) => (
          <UploadRow key={upload.path} upload={upload} deploy={deploy} />
        ))}
        {uploads.list.length === 0 ? <li className="text-ink-soft">No file has arrived yet.</li> : null}
      </ul>
      {interrupted.length > 0 ? (
        <div className="mt-4">
          <DropZone label="Choose the same files again to go on" hint="Only what is missing is sent." onFiles={goOn} />
        </div>
      ) : null}
      <ConfirmDialog
        open={confirming}
        onOpenChange={setConfirming}
        title="Discard this deployment?"
        action="Discard"
        onConfirm={() => void deploy.throwAway()}
      >
        The uploaded files are removed. The repository is not touched.
      </ConfirmDialog>
    </Card>
  );
}

function UploadRow({ upload, deploy }: { readonly upload: UploadState; readonly deploy: Deploy }) {
  const { path, bytes, sent, status } = upload;
  const failed = status.kind === "failed";
  const share = status.kind === "hashing" ? (bytes === 0 ? 1 : status.bytes / bytes) : bytes === 0 ? 1 : sent / bytes;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1">
      <span className="truncate font-mono text-[0.893rem]" title={path}>
        {path}
      </span>
      <span className="flex items-center gap-1 text-[0.893rem] text-ink-soft tabular-nums">
        {formatBytes(sent)} of {formatBytes(bytes)}
        {status.kind === "sending" || status.kind === "retrying" ? (
          <Button size="icon" tone="quiet" aria-label={`Pause ${path}`} onClick={() => deploy.uploads.pause(path)}>
            <Pause aria-hidden />
          </Button>
        ) : null}
        {status.kind === "paused" ? (
          <Button size="icon" tone="quiet" aria-label={`Resume ${path}`} onClick={() => deploy.uploads.resume(path)}>
            <Play aria-hidden />
          </Button>
        ) : null}
      </span>
      {status.kind === "done" ? null : (
        <ProgressBar label={path} share={share} tone={failed ? "bad" : "accent"} className="col-span-2 h-1.5" />
      )}
      <span
        role={failed ? "alert" : undefined}
        className={`col-span-2 text-[0.857rem] [overflow-wrap:anywhere] ${failed ? "text-bad" : "text-ink-soft"}`}
      >
        {statusText(upload)}
      </span>
    </li>
  );
}

function totalText({ sent, bytes, speed, secondsLeft }: TotalProgress, done: boolean): string {
  if (done) return `${formatBytes(bytes)}, all there`;
  const parts = [`${formatBytes(sent)} of ${formatBytes(bytes)}`];
  if (speed !== null) parts.push(`${formatBytes(speed)}/s`);
  if (secondsLeft !== null) parts.push(`${secondsLeft} s left`);
  return parts.join(" · ");
}
