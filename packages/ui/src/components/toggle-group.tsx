"use client";

import { ToggleGroup as Radix } from "radix-ui";

export interface ToggleOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

export interface ToggleGroupProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly ToggleOption<Value>[];
  readonly onChange: (value: Value) => void;
}

/** One of a few, side by side, e.g. a time range. */
export function ToggleGroup<Value extends string>({ label, value, options, onChange }: ToggleGroupProps<Value>) {
  return (
    <Radix.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const option = options.find((one) => one.value === next);
        if (option !== undefined) onChange(option.value);
      }}
      className="inline-flex h-8 rounded-md border bg-bg p-0.5"
    >
      {options.map((option) => (
        <Radix.Item
          key={option.value}
          value={option.value}
          className="min-w-9 whitespace-nowrap rounded-sm px-2.5 font-medium text-[0.857rem] text-ink-soft hover:text-ink data-[state=on]:bg-accent-wash data-[state=on]:text-ink"
        >
          {option.label}
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}
