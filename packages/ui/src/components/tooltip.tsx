"use client";

import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

export interface TooltipProps {
  readonly text: ReactNode;
  /** Something that can take the focus, so that the words are not for mice only. */
  readonly children: ReactNode;
}

export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={250}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-72 rounded-md border bg-panel px-2.5 py-1.5 text-[0.857rem] text-ink shadow-xl"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
