import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useState } from "react";
import { type GappedRow, rowGaps, withKept } from "./row-gaps.ts";

/** Shorter lists are drawn whole: the browser's own search and print find everything then. */
const LONG_LIST = 60;
const OVERSCAN = 8;
/** Before the browser has said how large it is. */
const FIRST_RECT = { width: 1440, height: 900 };

export interface VirtualRowsOptions {
  readonly count: number;
  /** Likely height of a row, pixels. */
  readonly estimate: number;
  /** What begins where the rows begin. */
  readonly frame: RefObject<HTMLElement | null>;
}

export interface VirtualRows {
  /** Whether rows are left out; then they must say which of how many they are. */
  readonly virtual: boolean;
  readonly rows: readonly GappedRow[];
  /** Empty space after the last row, pixels. */
  readonly after: number;
  /** For each row that is drawn, beside its index in `data-index`. */
  readonly measure: ((element: HTMLElement | null) => void) | undefined;
  /** The row that was focused last, which stays drawn. */
  keep(index: number): void;
}

/** Which rows of a long list are drawn, in a page that scrolls as a whole; all of them of a short one. */
export function useVirtualRows({ count, estimate, frame }: VirtualRowsOptions): VirtualRows {
  const virtual = count >= LONG_LIST;
  const [scrollMargin, setScrollMargin] = useState(0);
  const [kept, setKept] = useState<number | null>(null);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: virtual ? count : 0,
    estimateSize: () => estimate,
    overscan: OVERSCAN,
    scrollMargin,
    initialRect: FIRST_RECT,
    // One that is hidden has no height; taken at its word, all rows would fit on the screen.
    measureElement: (element) => element.offsetHeight || estimate,
    rangeExtractor: (range) => withKept(defaultRangeExtractor(range), kept, count),
  });
  // What stands above the list comes and goes, such as a banner.
  useLayoutEffect(() => {
    if (!virtual || frame.current === null) return;
    setScrollMargin(Math.round(frame.current.getBoundingClientRect().top + window.scrollY));
  });
  if (!virtual) {
    const rows = Array.from({ length: count }, (_, index) => ({ index, gap: 0 }));
    return { virtual, rows, after: 0, measure: undefined, keep: setKept };
  }
  const placed = virtualizer
    .getVirtualItems()
    .map(({ index, start, end }) => ({ index, start: start - scrollMargin, end: end - scrollMargin }));
  return {
    virtual,
    ...rowGaps(placed, virtualizer.getTotalSize()),
    measure: virtualizer.measureElement,
    keep: setKept,
  };
}
