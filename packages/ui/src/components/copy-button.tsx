"use client";

import { Check, Copy, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { type CopyState, useCopy } from "./use-copy.ts";

const ICONS = { idle: Copy, copied: Check, failed: X } as const;
const WORDS: Readonly<Record<CopyState, string>> = { idle: "", copied: "Copied", failed: "Copying was refused" };

export interface CopyButtonProps extends Omit<ButtonProps, "onClick" | "children" | "asChild"> {
  readonly text: string;
  /** What is copied, for the name of the button: "Copy digest". */
  readonly label: string;
  /** Shown beside the icon; without it the button is an icon. */
  readonly children?: ReactNode;
}

/** Copies a text and says so, also to screen readers. */
export function CopyButton({ text, label, children, ...props }: CopyButtonProps) {
  const { state, copy } = useCopy();
  const Icon = ICONS[state];
  return (
    <>
      <Button
        tone="quiet"
        size={children === undefined ? "icon" : "small"}
        aria-label={children === undefined ? label : undefined}
        title={label}
        {...props}
        onClick={() => copy(text)}
      >
        <Icon aria-hidden />
        {children}
      </Button>
      <span role="status" className="sr-only">
        {WORDS[state]}
      </span>
    </>
  );
}
