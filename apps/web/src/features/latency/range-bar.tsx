"use client";

import { Button, Field, Select, shownZone, ToggleGroup } from "@nereid/ui";
import { CalendarRange, Pause, Play } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { fromInputTime, toInputTime } from "./input-time.ts";
import type { TimeWindow } from "./time-window.ts";

export interface RangeBarProps<Range extends string> {
  /** The lengths that are offered, `all` for everything there is. */
  readonly ranges: readonly Range[];
  readonly window: TimeWindow<Range>;
  /** The window as it is shown; what the typed times begin with. */
  readonly shown: { readonly from: number; readonly to: number } | null;
  readonly onRange: (range: Range) => void;
  readonly onFixed: (from: number, to: number) => void;
  /** Absent where nothing can be paused. */
  readonly pause?: { readonly paused: boolean; readonly onPause: () => void };
}

/** Which time the charts show: up to now, or between two moments that are typed. */
export function RangeBar<Range extends string>(props: RangeBarProps<Range>) {
  const { ranges, window, shown, onRange, onFixed, pause } = props;
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="hidden md:block">
        <ToggleGroup
          label="Time range"
          // A group whose value is none of its options has none pressed.
          value={window.kind === "recent" ? window.range : ("" as Range)}
          options={ranges.map((value) => ({ value, label: value === "all" ? "All" : value }))}
          onChange={onRange}
        />
      </div>
      <div className="md:hidden">
        <Select
          aria-label="Time range"
          value={window.kind === "recent" ? window.range : ""}
          onChange={({ target }) => {
            const range = ranges.find((one) => one === target.value);
            if (range !== undefined) onRange(range);
          }}
        >
          {window.kind === "fixed" ? <option value="">From … to …</option> : null}
          {ranges.map((range) => (
            <option key={range} value={range}>
              {range === "all" ? "All" : `Last ${range}`}
            </option>
          ))}
        </Select>
      </div>
      <Button size="small" className="h-8" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <CalendarRange aria-hidden />
        From … to …
      </Button>
      {pause === undefined ? null : (
        <Button size="small" className="h-8" onClick={pause.onPause}>
          {pause.paused ? <Play aria-hidden /> : <Pause aria-hidden />}
          {pause.paused ? "Resume" : "Pause"}
        </Button>
      )}
      <div id={id} className="w-full" hidden={!open}>
        {open ? <TypedRange shown={shown} onFixed={onFixed} /> : null}
      </div>
    </div>
  );
}

interface TypedRangeProps {
  readonly shown: { readonly from: number; readonly to: number } | null;
  readonly onFixed: (from: number, to: number) => void;
}

/** Two moments from the keyboard: what drawing on a chart does with the mouse. */
function TypedRange({ shown, onFixed }: TypedRangeProps) {
  const [first, setFirst] = useState(shown === null ? "" : toInputTime(shown.from));
  const [last, setLast] = useState(shown === null ? "" : toInputTime(shown.to));
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [from, to] = [fromInputTime(first), fromInputTime(last)];
    if (from === null || to === null) setProblem("Give both as a date and a time.");
    else if (to <= from) setProblem("“To” must be later than “From”.");
    else {
      setProblem(null);
      onFixed(from, to);
    }
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3 rounded-lg border bg-panel p-3">
      <div className="w-60 max-w-full">
        <Field
          label="From"
          type="datetime-local"
          step={1}
          value={first}
          onChange={({ target }) => setFirst(target.value)}
        />
      </div>
      <div className="w-60 max-w-full">
        <Field
          label="To"
          type="datetime-local"
          step={1}
          value={last}
          onChange={({ target }) => setLast(target.value)}
          error={problem ?? undefined}
        />
      </div>
      <Button type="submit" tone="primary">
        Show
      </Button>
      <p className="w-full text-[0.857rem] text-ink-soft">Times are in {shownZone()}.</p>
    </form>
  );
}
