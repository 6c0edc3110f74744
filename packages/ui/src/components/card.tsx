import type { ComponentProps, ReactNode } from "react";
import { cn } from "../cn.ts";

export interface CardProps extends Omit<ComponentProps<"section">, "title"> {
  readonly title?: ReactNode;
  /** One line under the title. */
  readonly hint?: ReactNode;
  /** Controls at the right of the title. */
  readonly actions?: ReactNode;
  /** Without padding around the content, for tables. */
  readonly flush?: boolean;
}

/** A panel with an optional heading row. */
export function Card({ title, hint, actions, flush = false, className, children, ...props }: CardProps) {
  return (
    <section className={cn("min-w-0 rounded-lg border bg-panel shadow-panel", className)} {...props}>
      {title === undefined ? null : (
        <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b px-4 py-2.5">
          <div className="min-w-0">
            <h2 className="font-semibold text-[0.929rem]">{title}</h2>
            {hint === undefined ? null : <p className="text-[0.857rem] text-ink-soft">{hint}</p>}
          </div>
          {actions === undefined ? null : <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={flush ? undefined : "p-4"}>{children}</div>
    </section>
  );
}
