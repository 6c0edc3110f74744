import { Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../cn.ts";

const LOOK = {
  warn: { classes: "border-warn/40 bg-warn-wash text-warn", Icon: TriangleAlert },
  bad: { classes: "border-bad/40 bg-bad-wash text-bad", Icon: TriangleAlert },
  info: { classes: "border-busy/40 bg-busy-wash text-busy", Icon: Info },
} as const;

/** A strip above content that is still there but not as it should be. Announced politely. */
export function Banner({ tone, children }: { readonly tone: keyof typeof LOOK; readonly children: ReactNode }) {
  const { classes, Icon } = LOOK[tone];
  return (
    <div role="status" className={cn("flex items-start gap-2.5 rounded-md border px-3.5 py-2.5", classes)}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 [overflow-wrap:anywhere]">{children}</div>
    </div>
  );
}
