"use client";

import { Button, Field, Select, ToggleGroup } from "@nereid/ui";
import { CalendarRange, Pause, Play } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { HISTORY_RANGES, type HistoryRange } from "./search-params.ts";
import { fromInputTime, type TimeWindow, toInputTime } from "./time-window.ts";

const RANGE_OPTIONS = HISTORY_RANGES.map((value) => ({ value, label: value }));

export interface RangeBarProps {
  readonly window: TimeWindow;
  /** The window as it is shown; what the typed times begin with. */
  readonly shown: { readonly from: number; readonly to: number } | null;
  readonly paused: boolean;
  readonly onRange: (range: HistoryRange) => void;
  readonly onFixed: (from: number, to: number) => void;
  readonly onPause: () => void;
}

/** Which time the charts show: up to now, or between two moments that are typed. */
export function RangeBar({ window, shown, paused, onRange, onFixed, onPause }: RangeBarProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="hidden md:block">
        <ToggleGroup
          label="Time range"
          // A group whose value is none of its options has none pressed.
          value={window.kind === "recent" ? window.range : ("" as HistoryRange)}
          options={RANGE_OPTIONS}
          onChange={onRange}
        />
      </div>
      <div className="md:hidden">
        <Select
          aria-label="Time range"
          value={window.kind === "recent" ? window.range : ""}
          onChange={({ target }) => {
            const range = HISTORY_RANGES.find((one) => one === target.value);
            if (range !== undefined) onRange(range);
          }}
        >
          {window.kind === "fixed" ? <option value="">From … to …</option> : null}
          {HISTORY_RANGES.map((range) => (
            <option key={range} value={range}>
              Last {range}
            </option>
          ))}
        </Select>
      </div>
      <Button size="small" className="h-8" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <CalendarRange aria-hidden />
        From … to …
      </Button>
      <Button size="small" className="h-8" onClick={onPause}>
        {paused ? <Play aria-hidden /> : <Pause aria-hidden />}
        {paused ? "Resume" : "Pause"}
      </Button>
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
    </form>
  );
}
