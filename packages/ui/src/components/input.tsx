import type { ComponentProps } from "react";
import { cn } from "../cn.ts";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return (
    <input
      className={cn(
        "h-9 w-full min-w-0 rounded-md border border-line-strong/70 bg-bg px-3 text-ink placeholder:text-ink-soft hover:border-line-strong aria-invalid:border-bad disabled:opacity-60",
        className,
      )}
      {...props}
    />
  );
}
