import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "../cn.ts";

const button = cva(
  "inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md border font-medium transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 [&_svg]:size-3.5 [&_svg]:shrink-0",
  {
    variants: {
      tone: {
        primary:
          "border-transparent bg-accent text-accent-ink hover:bg-[color-mix(in_oklab,var(--accent),var(--ink)_14%)]",
        plain: "border-line bg-panel text-ink hover:border-line-strong hover:bg-raised",
        quiet: "border-transparent bg-transparent text-ink-soft hover:bg-raised hover:text-ink",
        danger: "border-transparent bg-bad text-bad-ink hover:bg-[color-mix(in_oklab,var(--bad),var(--ink)_14%)]",
      },
      size: {
        small: "h-7 px-2.5 text-[0.857rem]",
        medium: "h-8.5 px-3.5 text-[0.929rem]",
        icon: "size-8 [&_svg]:size-4",
      },
    },
    defaultVariants: { tone: "plain", size: "medium" },
  },
);

export interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof button> {
  /** Draws the child element (a link) as a button. */
  readonly asChild?: boolean;
  /** Shows a spinner, keeps the words and refuses clicks. */
  readonly busy?: boolean;
}

export function Button({ asChild = false, busy = false, tone, size, className, children, ...props }: ButtonProps) {
  const classes = cn(button({ tone, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={classes} {...props}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      className={classes}
      {...props}
      disabled={busy || props.disabled}
      aria-busy={busy || undefined}
    >
      {busy ? <LoaderCircle aria-hidden className="animate-spin" /> : null}
      {children}
    </button>
  );
}
