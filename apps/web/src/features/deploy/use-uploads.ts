import type { Draft, DraftUpload } from "@nereid/client";
import type { DroppedFile } from "@nereid/ui";
import { useEffect, useRef, useState } from "react";
import {
  isUnderWay,
  type ProgressSample,
  type TotalProgress,
  totalProgress,
  type UploadState,
  withSample,
} from "./upload-state.ts";
import { type RunningUpload, startUpload } from "./uploader.ts";

export interface Uploads {
  readonly list: readonly UploadState[];
  readonly total: TotalProgress;
  /** Sends files to a draft; those of which the server has a part go on from there. */
  send(draft: Pick<Draft, "id" | "uploads">, files: readonly DroppedFile[]): void;
  pause(path: string): void;
  resume(path: string): void;
  cancelAll(): void;
}

/** The uploads of one page. `draft` tells what the server has of files that this page does not know. */
export function useUploads(draft: Draft | undefined): Uploads {
  const [own, setOwn] = useState<ReadonlyMap<string, UploadState>>(new Map());
  const [samples, setSamples] = useState<readonly ProgressSample[]>([]);
  const running = useRef(new Map<string, RunningUpload>());
  const list = merged(own, draft?.uploads ?? []);
  const underWay = isUnderWay([...own.values()]);

  useEffect(() => {
    if (!underWay) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [underWay]);

  const change = (path: string, bytes: number, part: Partial<UploadState>) => {
    setOwn((before) => {
      const current = before.get(path) ?? { path, bytes, sent: 0, status: { kind: "waiting" } as const };
      const next = new Map(before).set(path, { ...current, ...part });
      const sent = [...next.values()].reduce((sum, upload) => sum + upload.sent, 0);
      setSamples((all) => withSample(all, { atMs: performance.now(), sent }));
      return next;
    });
  };

  return {
    list,
    total: totalProgress(list, samples),
    send(target, files) {
      for (const { path, file } of files) {
        const begun = target.uploads.find((upload) => upload.path === path && upload.bytes === file.size);
        const upload = startUpload(
          {
            draft: target.id,
            path,
            file,
            ...(begun !== undefined && { uploadUrl: `/api/v1/uploads/${encodeURIComponent(begun.id)}` }),
            ...(begun?.sha256 != null && { expectedSha256: begun.sha256 }),
          },
          (part) => change(path, file.size, part),
        );
        running.current.set(path, upload);
        change(path, file.size, { sent: begun?.receivedBytes ?? 0 });
      }
    },
    pause: (path) => running.current.get(path)?.pause(),
    resume: (path) => running.current.get(path)?.resume(),
    cancelAll() {
      for (const upload of running.current.values()) upload.cancel();
      running.current.clear();
      setOwn(new Map());
      setSamples([]);
    },
  };
}

const INTERRUPTED = { kind: "interrupted" } as const;

/** What this page sends, and what the server has from before. */
function merged(own: ReadonlyMap<string, UploadState>, known: readonly DraftUpload[]): readonly UploadState[] {
  const others = known
    .filter(({ path }) => !own.has(path))
    .map(({ path, bytes, receivedBytes, sha256 }): UploadState => {
      const status = receivedBytes === bytes ? ({ kind: "done", verified: sha256 !== null } as const) : INTERRUPTED;
      return { path, bytes, sent: receivedBytes, status };
    });
  return [...own.values(), ...others].sort((a, b) => (a.path < b.path ? -1 : 1));
}
