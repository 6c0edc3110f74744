import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "../cn.ts";

const badge = cva(
  "inline-flex items-center gap-1 whitespace-nowrap rounded-full px-2 py-0.5 font-medium text-[0.786rem] [&_svg]:size-3.5 [&_svg]:shrink-0",
  {
    variants: {
      tone: {
        neutral: "bg-raised text-ink-soft",
        ok: "bg-ok-wash text-ok",
        busy: "bg-busy-wash text-busy",
        warn: "bg-warn-wash text-warn",
        bad: "bg-bad-wash text-bad",
        accent: "bg-accent-wash text-ink",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export type BadgeProps = ComponentProps<"span"> & VariantProps<typeof badge>;

export function Badge({ tone, className, ...props }: BadgeProps) {
  return <span className={cn(badge({ tone }), className)} {...props} />;
}
