import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "../cn.ts";

export interface CheckboxProps extends Omit<ComponentProps<"input">, "type" | "children"> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** Keeps the label for screen readers only, e.g. in a table's row. */
  readonly labelHidden?: boolean;
}

/** The browser's own checkbox with its label; the whole row is the target. */
export function Checkbox({ label, hint, labelHidden = false, className, ...props }: CheckboxProps) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={cn("inline-flex min-h-[24px] min-w-[24px] cursor-pointer items-start gap-2", className)}
    >
      <input
        id={id}
        type="checkbox"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="mt-1 size-4 shrink-0 accent-(--accent) disabled:opacity-55"
        {...props}
      />
      <span className={labelHidden ? "sr-only" : "min-w-0"}>
        {label}
        {hint === undefined ? null : (
          <span id={`${id}-hint`} className="block text-[0.857rem] text-ink-soft">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
