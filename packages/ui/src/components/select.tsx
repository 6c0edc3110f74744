import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "../cn.ts";

/** The browser's own select, dressed: keyboard, touch and screen readers come for free. */
export function Select({ className, ...props }: ComponentProps<"select">) {
  return (
    <span className="relative inline-flex">
      <select
        className={cn(
          "h-8 appearance-none rounded-md border bg-panel pr-8 pl-3 text-[0.893rem] text-ink hover:border-line-strong",
          className,
        )}
        {...props}
      />
      <ChevronDown aria-hidden className="pointer-events-none absolute top-2 right-2 size-4 text-ink-soft" />
    </span>
  );
}
