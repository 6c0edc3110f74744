"use client";

import { Card, cn } from "@nereid/ui";
import type { LoadTestDraft } from "./load-test-draft.ts";
import { PRESETS } from "./presets.ts";

export interface PresetPickerProps {
  readonly draft: LoadTestDraft;
  readonly onPick: (fields: Partial<LoadTestDraft>) => void;
}

/** Where to begin: fills in the load, and leaves the rest of the form. */
export function PresetPicker({ draft, onPick }: PresetPickerProps) {
  const isPicked = (fields: Partial<LoadTestDraft>) =>
    Object.entries(fields).every(([key, value]) => Reflect.get(draft, key) === value);
  return (
    <Card title="What do you want to know?" hint="Fills in the load below; everything can be changed.">
      <ul className="grid gap-2 sm:grid-cols-2 xl:grid-cols-3">
        {PRESETS.map(({ name, title, says, fields }) => (
          <li key={name}>
            <button
              value={name}
              type="button"
              aria-pressed={isPicked(fields)}
              onClick={() => onPick(fields)}
              className={cn(
                "flex h-full w-full flex-col items-start rounded-md border px-3 py-2 text-left transition-colors hover:border-line-strong",
                isPicked(fields) && "border-accent bg-accent-wash",
              )}
            >
              <span className="block font-medium">{title}</span>
              <span className={cn("block text-[0.857rem]", isPicked(fields) ? "text-ink" : "text-ink-soft")}>
                {says}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
