"use client";

import { type RefObject, useEffect } from "react";

/**
 * Scrolls a bar of links sideways so that the link to the current page is in sight, whenever `current` changes. Only the bar is scrolled: the
 * page stays where it is.
 */
export function useCurrentInSight(frame: RefObject<HTMLElement | null>, current: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another link to be brought into sight
  useEffect(() => {
    const link = frame.current?.querySelector("[aria-current=page]");
    let bar = link?.parentElement;
    while (bar && !scrollsSideways(bar)) bar = bar.parentElement;
    if (!link || !bar) return;
    const [at, around] = [link.getBoundingClientRect(), bar.getBoundingClientRect()];
    bar.scrollLeft += at.left - around.left - (around.width - at.width) / 2;
  }, [current]);
}

function scrollsSideways(element: HTMLElement): boolean {
  return element.scrollWidth > element.clientWidth && ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
}
