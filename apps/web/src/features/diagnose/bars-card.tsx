"use client";

import { Badge, Button, Card, Field } from "@nereid/ui";
import { type FormEvent, useState } from "react";
import { BAR_KEYS, BARS, type BarKey, type Bars, barsText, keptBar, shownBar } from "./bars.ts";

export interface BarsCardProps {
  /** Those that hold, all of them. */
  readonly bars: Bars;
  readonly busy: boolean;
  /** Takes bars as they stand in the address; absent for a kept report. */
  readonly onChange?: (text: string) => void;
}

/** What counts as much in this diagnosis: every bar with its unit and where it comes from, free to be set. */
export function BarsCard({ bars, busy, onChange }: BarsCardProps) {
  const changed = BAR_KEYS.filter((key) => bars[key] !== BARS[key].standard);
  const [open, setOpen] = useState(changed.length > 0);
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const wanted = BAR_KEYS.map((key) => [key, keptBar(key, Number(form.get(key)))] as const);
    onChange?.(barsText(Object.fromEntries(wanted)));
  };
  return (
    <Card
      title="Bars"
      hint="What counts as much. They stand in the address, so that a link shows the same diagnosis."
      actions={
        <>
          {changed.length === 0 ? null : <Badge tone="warn">{changed.length} changed</Badge>}
          <Button size="small" aria-expanded={open} aria-controls="bars" onClick={() => setOpen(!open)}>
            {open ? "Hide" : onChange === undefined ? "Show" : "Show and change"}
          </Button>
        </>
      }
    >
      <form
        id="bars"
        hidden={!open}
        className="space-y-4"
        // Numbers that come from elsewhere, such as the way back, take the place of those that were typed.
        key={barsText(bars)}
        onSubmit={apply}
      >
        <div className="grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
          {BAR_KEYS.map((key) => (
            <BarField key={key} name={key} value={bars[key]} readOnly={onChange === undefined} />
          ))}
        </div>
        {onChange === undefined ? null : (
          <div className="flex gap-2">
            <Button type="submit" tone="primary" busy={busy}>
              Diagnose with these
            </Button>
            <Button disabled={changed.length === 0} onClick={() => onChange("")}>
              Reset
            </Button>
          </div>
        )}
      </form>
    </Card>
  );
}

interface BarFieldProps {
  readonly name: BarKey;
  readonly value: number;
  readonly readOnly: boolean;
}

function BarField({ name, value, readOnly }: BarFieldProps) {
  const { label, unit, standard, min, max, why } = BARS[name];
  const usual = `Usually ${shownBar(name, standard)}${unit === "%" ? " %" : unit === "correlation" ? "" : ` ${unit}`}.`;
  return (
    <Field
      label={`${label}, ${unit}`}
      name={name}
      type="number"
      required
      step="any"
      readOnly={readOnly}
      min={shownBar(name, min)}
      max={shownBar(name, max)}
      defaultValue={shownBar(name, value)}
      hint={`${usual} ${why}`}
    />
  );
}
