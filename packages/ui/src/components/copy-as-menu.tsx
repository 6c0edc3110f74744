"use client";

import { Check, ChevronDown, Code, X } from "lucide-react";
import { Button } from "./button.tsx";
import { Menu, MenuItem } from "./menu.tsx";
import { useCopy } from "./use-copy.ts";

export interface CopyAsMenuProps {
  /** The same action as a command or program, ready to be pasted. */
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
  readonly cli: string;
  readonly label?: string;
}

const ICONS = { idle: Code, copied: Check, failed: X } as const;

/** Copies an action as curl, TypeScript, Python or a command line. */
export function CopyAsMenu({ curl, typescript, python, cli, label = "Copy as" }: CopyAsMenuProps) {
  const { state, copy } = useCopy();
  const Icon = ICONS[state];
  return (
    <>
      <Menu
        trigger={
          <Button size="small" tone="quiet">
            <Icon aria-hidden />
            {label}
            <ChevronDown aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => copy(curl)}>curl</MenuItem>
        <MenuItem onSelect={() => copy(typescript)}>TypeScript</MenuItem>
        <MenuItem onSelect={() => copy(python)}>Python</MenuItem>
        <MenuItem onSelect={() => copy(cli)}>Command line</MenuItem>
      </Menu>
      <span role="status" className="sr-only">
        {state === "copied" ? "Copied" : state === "failed" ? "Copying was refused" : ""}
      </span>
    </>
  );
}
