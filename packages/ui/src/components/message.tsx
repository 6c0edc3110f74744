import { CircleOff, Inbox, Lock, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../cn.ts";

const ICONS = { empty: Inbox, error: TriangleAlert, forbidden: Lock, missing: CircleOff } as const;

export interface MessageProps {
  readonly kind: keyof typeof ICONS;
  readonly title: string;
  readonly children?: ReactNode;
  /** What can be done about it. */
  readonly action?: ReactNode;
  readonly className?: string;
  /** The title is the heading of the whole page. */
  readonly page?: boolean;
}

/** Stands where content would be: nothing there, failed, not allowed, not found. */
export function Message({ kind, title, children, action, className, page = false }: MessageProps) {
  const Icon = ICONS[kind];
  const Title = page ? "h1" : "p";
  return (
    <div
      role={kind === "error" ? "alert" : undefined}
      className={cn("flex flex-col items-center gap-2 px-6 py-10 text-center", className)}
    >
      <Icon aria-hidden className={cn("size-6", kind === "error" ? "text-bad" : "text-ink-soft")} />
      <Title className="font-semibold">{title}</Title>
      {children === undefined ? null : <div className="max-w-prose text-ink-soft">{children}</div>}
      {action === undefined ? null : <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
