import type { ComponentProps } from "react";
import { cn } from "../cn.ts";
import { FieldFrame, type FieldWords } from "./field-frame.tsx";

export interface TextareaProps extends ComponentProps<"textarea">, FieldWords {}

/** A labelled text of several lines with its hint and its error. */
export function Textarea({ label, hint, error, className, ...props }: TextareaProps) {
  return (
    <FieldFrame
      label={label}
      error={error}
      {...(hint === undefined ? {} : { hint })}
      control={(ties) => (
        <textarea
          {...ties}
          rows={3}
          className={cn(
            "w-full min-w-0 rounded-md border border-line-strong/70 bg-bg px-3 py-2 text-ink placeholder:text-ink-soft hover:border-line-strong aria-invalid:border-bad disabled:opacity-60",
            className,
          )}
          {...props}
        />
      )}
    />
  );
}
