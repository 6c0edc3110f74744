"use client";

import { Toaster as Sonner } from "sonner";

/** Where toasts appear; sonner puts them in a polite live region. */
export function Toaster() {
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={4}
      expand
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-(--width) font-sans items-start gap-2.5 rounded-md border bg-panel px-3.5 py-3 text-[0.929rem] text-ink shadow-xl",
          title: "font-medium [overflow-wrap:anywhere]",
          description: "text-ink-soft [overflow-wrap:anywhere]",
          icon: "mt-0.5",
          success: "[&_[data-icon]]:text-ok",
          error: "[&_[data-icon]]:text-bad",
          warning: "[&_[data-icon]]:text-warn",
        },
      }}
    />
  );
}
