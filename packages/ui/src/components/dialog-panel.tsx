"use client";

import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { OVERLAY, useFocusReturn } from "./dialog-frame.ts";

export interface DialogPanelProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: ReactNode;
  /** One or two sentences under the title; read out when the panel opens. */
  readonly description?: ReactNode;
  readonly children: ReactNode;
  /** Buttons at the end. */
  readonly footer?: ReactNode;
}

/** What a dialog and a sheet have in common; `className` says where it stands and how large it is. */
export function DialogPanel(props: DialogPanelProps & { readonly className: string }) {
  const { open, onOpenChange, title, description, children, footer, className } = props;
  const focusReturn = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={OVERLAY} />
        <Radix.Content
          {...focusReturn}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          className={className}
        >
          <header className="flex items-start justify-between gap-3 border-b px-5 py-3.5">
            <div className="min-w-0">
              <Radix.Title className="font-semibold text-base [overflow-wrap:anywhere]">{title}</Radix.Title>
              {description === undefined ? null : (
                <Radix.Description asChild>
                  <div className="mt-1 text-[0.929rem] text-ink-soft">{description}</div>
                </Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <Button tone="quiet" size="icon" aria-label="Close">
                <X aria-hidden />
              </Button>
            </Radix.Close>
          </header>
          <div className="min-h-0 grow overflow-y-auto px-5 py-4">{children}</div>
          {footer === undefined ? null : (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-3">{footer}</footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
