/// <reference lib="dom" />
/** What happened in a tab since it was last asked. */
export interface TabActivity {
  readonly seconds: number;
  readonly frames: number;
  /** Tasks above 50 ms: how many, together, and the longest; milliseconds. */
  readonly longTasks: number;
  readonly longTaskMs: number;
  readonly longestTaskMs: number;
  /** Frames of one second in which the drawing that was redrawn most often changed, and how many drawings changed at all. */
  readonly mostRedraws: number;
  readonly drawings: number;
  /** Points of the line that has the most of them, when it was asked. */
  readonly mostPoints: number;
}

export interface TabWatch {
  take(): TabActivity;
}

declare global {
  interface Window {
    scaleWatch?: TabWatch;
  }
}

/** Runs in the page, before anything else there. Everything it needs must stand inside. */
export function watchTab(): void {
  let since = performance.now();
  let frames = 0;
  let frame = 0;
  let tasks: number[] = [];
  let second = 0;
  let counts = new Map<Element, number>();
  const changedIn = new WeakMap<Element, number>();
  let seen = new Set<Element>();
  let most = 0;
  const onFrame = () => {
    frames += 1;
    frame += 1;
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration);
  }).observe({ type: "longtask" });
  const closeSecond = () => {
    most = Math.max(most, ...counts.values());
    counts = new Map();
  };
  new MutationObserver((records) => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) closeSecond();
    second = now;
    const redrawn = new Set<Element>();
    for (const { target } of records) {
      const drawing = target instanceof Element ? target.closest("svg") : target.parentElement?.closest("svg");
      if (drawing != null) redrawn.add(drawing);
    }
    for (const drawing of redrawn) {
      seen.add(drawing);
      // Several changes before the same frame are seen as one.
      if (changedIn.get(drawing) === frame) continue;
      changedIn.set(drawing, frame);
      counts.set(drawing, (counts.get(drawing) ?? 0) + 1);
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  // A move or a line for each point; the end of an area's path goes back over all of them, so areas are not counted.
  const pointsOf = (path: Element) => path.getAttribute("d")?.match(/[ML]/g)?.length ?? 0;
  window.scaleWatch = {
    take() {
      closeSecond();
      const now = performance.now();
      const activity = {
        seconds: (now - since) / 1000,
        frames,
        longTasks: tasks.length,
        longTaskMs: tasks.reduce((sum, one) => sum + one, 0),
        longestTaskMs: Math.max(0, ...tasks),
        mostRedraws: most,
        drawings: seen.size,
        mostPoints: Math.max(0, ...[...document.querySelectorAll("path.recharts-line-curve")].map(pointsOf)),
      };
      since = now;
      frames = most = 0;
      tasks = [];
      seen = new Set();
      return activity;
    },
  };
}
