import type { ComponentProps } from "react";
import { cn } from "../cn.ts";

export interface TableProps extends ComponentProps<"table"> {
  readonly label: string;
  /** Classes of the frame, e.g. a largest height. */
  readonly frameClassName?: string;
}

/** A plain table; wide ones scroll inside their own, focusable frame. */
export function Table({ label, frameClassName, className, ...props }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard
    <section aria-label={label} className={cn("relative overflow-x-auto rounded-b-lg", frameClassName)} tabIndex={0}>
      <table className={cn("w-full border-collapse text-left text-[0.929rem]", className)} {...props} />
    </section>
  );
}

export function Th({ numeric = false, className, ...props }: ComponentProps<"th"> & { readonly numeric?: boolean }) {
  return (
    <th
      scope="col"
      className={cn(
        "whitespace-nowrap border-b px-3 py-2 font-medium text-[0.786rem] text-ink-soft first:pl-4 last:pr-4",
        numeric && "text-right",
        className,
      )}
      {...props}
    />
  );
}

export function Td({ numeric = false, className, ...props }: ComponentProps<"td"> & { readonly numeric?: boolean }) {
  return (
    <td
      className={cn(
        "border-b px-3 py-2 align-middle first:pl-4 last:pr-4 group-last/row:border-b-0",
        numeric && "whitespace-nowrap text-right font-mono text-[0.893rem]",
        className,
      )}
      {...props}
    />
  );
}

export function Tr({ className, ...props }: ComponentProps<"tr">) {
  return <tr className={cn("group/row transition-colors hover:bg-raised/50", className)} {...props} />;
}
