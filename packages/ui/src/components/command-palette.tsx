"use client";

import { Command } from "cmdk";
import { Search } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { OVERLAY, useFocusReturn } from "./dialog-frame.ts";

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** More words that find it. */
  readonly keywords?: readonly string[];
  readonly icon?: ReactNode;
  /** At the right: a path, a shortcut, or why it cannot be done. */
  readonly note?: ReactNode;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
}

export interface PaletteGroup {
  readonly heading: string;
  readonly items: readonly PaletteItem[];
}

export interface CommandPaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly groups: readonly PaletteGroup[];
  readonly placeholder?: string;
}

/** One search field for places and actions. Choosing an item closes it. */
export function CommandPalette({
  open,
  onOpenChange,
  groups,
  placeholder = "Search or type a command",
}: CommandPaletteProps) {
  const focusReturn = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={OVERLAY} />
        <Radix.Content
          {...focusReturn}
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[min(40rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-lg border bg-panel text-ink shadow-2xl"
        >
          <Radix.Title className="sr-only">Command palette</Radix.Title>
          <Command loop label="Command palette">
            <div className="flex items-center gap-2 border-b px-3.5">
              <Search aria-hidden className="size-4 shrink-0 text-ink-soft" />
              <Command.Input
                placeholder={placeholder}
                className="h-11 w-full bg-transparent outline-none placeholder:text-ink-soft"
              />
            </div>
            <Command.List className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-6 text-center text-ink-soft">Nothing matches.</Command.Empty>
              {groups.map((group) => (
                <Command.Group
                  key={group.heading}
                  heading={group.heading}
                  className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-[0.786rem] [&_[cmdk-group-heading]]:text-ink-soft"
                >
                  {group.items.map((item) => (
                    <Command.Item
                      key={item.id}
                      value={item.id}
                      keywords={[item.label, ...(item.keywords ?? [])]}
                      disabled={item.disabled ?? false}
                      onSelect={() => {
                        onOpenChange(false);
                        item.onSelect();
                      }}
                      className="flex min-h-9 cursor-default items-center gap-2.5 rounded-md px-2 data-[disabled=true]:opacity-55 data-[selected=true]:bg-raised [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-soft"
                    >
                      {item.icon}
                      <span className="min-w-0 grow truncate">{item.label}</span>
                      {item.note === undefined ? null : (
                        <span className="shrink-0 text-[0.857rem] text-ink-soft">{item.note}</span>
                      )}
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
