"use client";

import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

const ITEM =
  "flex min-h-8 cursor-default select-none items-center gap-2 rounded-sm px-2 text-[0.929rem] outline-none data-[highlighted]:bg-raised [&_svg]:size-4 [&_svg]:text-ink-soft";

export interface MenuProps {
  readonly trigger: ReactNode;
  readonly children: ReactNode;
}

/** A menu that opens under its trigger. */
export function Menu({ trigger, children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          className="z-50 min-w-48 rounded-md border bg-panel p-1 text-ink shadow-xl"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function MenuItem({ onSelect, children }: { readonly onSelect: () => void; readonly children: ReactNode }) {
  return (
    <DropdownMenu.Item className={ITEM} onSelect={onSelect}>
      {children}
    </DropdownMenu.Item>
  );
}

export interface MenuRadioProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly label: ReactNode }[];
}

export function MenuRadio({ value, onChange, options }: MenuRadioProps) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={onChange}>
      {options.map((option) => (
        <DropdownMenu.RadioItem key={option.value} value={option.value} className={ITEM}>
          {option.label}
          <DropdownMenu.ItemIndicator className="ml-auto">
            <Check aria-hidden />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

export function MenuHeading({ children }: { readonly children: ReactNode }) {
  return <DropdownMenu.Label className="border-b px-2 pt-1 pb-2 text-[0.857rem]">{children}</DropdownMenu.Label>;
}
