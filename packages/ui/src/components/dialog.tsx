import { cn } from "../cn.ts";
import { DialogPanel, type DialogPanelProps } from "./dialog-panel.tsx";

export interface DialogProps extends DialogPanelProps {
  readonly size?: "medium" | "wide";
}

/** A window over the page. Escape, the cross and a click beside it close it. */
export function Dialog({ size = "medium", ...props }: DialogProps) {
  return (
    <DialogPanel
      {...props}
      className={cn(
        "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col rounded-lg border bg-panel text-ink shadow-2xl",
        size === "wide" ? "max-w-[72rem]" : "max-w-[34rem]",
      )}
    />
  );
}
