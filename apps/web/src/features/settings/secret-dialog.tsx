"use client";

import { Button, CopyButton, Dialog } from "@nereid/ui";
import type { ReactNode } from "react";

export interface SecretDialogProps {
  /** Null while there is nothing to show. */
  readonly secret: string | null;
  readonly title: string;
  readonly children: ReactNode;
  readonly onClose: () => void;
}

/** Shows something that is shown once. */
export function SecretDialog({ secret, title, children, onClose }: SecretDialogProps) {
  return (
    <Dialog
      open={secret !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={title}
      description="It is shown only now."
      footer={
        <Button tone="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <div className="flex items-start gap-2 rounded-md border bg-bg p-3">
        <code className="min-w-0 grow font-mono text-[0.929rem] [overflow-wrap:anywhere]">{secret}</code>
        <CopyButton text={secret ?? ""} label="Copy" />
      </div>
      <div className="mt-3 text-ink-soft">{children}</div>
    </Dialog>
  );
}
