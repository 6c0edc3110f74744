"use client";

import { AlertDialog } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { Button } from "./button.tsx";

export interface ConfirmDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  /** What will happen, with the object's name. */
  readonly children: ReactNode;
  /** The words of the button that does it. */
  readonly action: string;
  readonly onConfirm: () => void;
}

/** Asks before something that affects traffic. Focus starts on Cancel. */
export function ConfirmDialog({ open, onOpenChange, title, children, action, onConfirm }: ConfirmDialogProps) {
  // Without a trigger element of its own the dialog would leave the focus nowhere when it closes.
  const opener = useRef<Element | null>(null);
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 bg-[oklch(0.12_0.03_245/0.6)] backdrop-blur-[2px]" />
        <AlertDialog.Content
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
          className="fixed top-1/2 left-1/2 z-50 w-[min(30rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-lg border bg-panel p-5 text-ink shadow-2xl"
        >
          <AlertDialog.Title className="font-semibold text-base">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-2 space-y-2 text-ink-soft">{children}</div>
          </AlertDialog.Description>
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button tone="danger" onClick={onConfirm}>
                {action}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
