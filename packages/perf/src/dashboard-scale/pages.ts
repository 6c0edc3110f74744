/** A page of the walk. */
export interface WalkedPage {
  readonly name: string;
  readonly path: string;
  /** Stands for its first data, wide screens: a selector. */
  readonly ready: string;
  /** What is clicked to get there from the page before. */
  readonly click: string;
  /** Stands for its first data after the click, where the address asks for more than the link. */
  readonly clickedReady?: string;
}

const nav = (path: string) => `nav[aria-label="Main"] a[href="${path}"]:visible`;

/** In the order in which they are walked. */
export function pagesOf(model: string): readonly WalkedPage[] {
  const base = `/models/${model}`;
  return [
    { name: "Overview", path: "/", ready: `section[aria-label="Worst models first"] tbody tr`, click: nav("/") },
    { name: "Models", path: "/models", ready: `section[aria-label="Models"] tbody tr a`, click: nav("/models") },
    { name: "Model", path: base, ready: "main h1", click: `section[aria-label="Models"] a[href="${base}"]` },
    {
      name: "Model, Latency",
      path: `${base}/latency`,
      ready: "main path.recharts-curve",
      click: `a[href="${base}/latency"]:visible`,
    },
    {
      name: "Model, Instances",
      path: `${base}/instances`,
      ready: `section[aria-label^="Instances of version"] tbody tr`,
      click: `a[href="${base}/instances"]:visible`,
    },
    { name: "Nodes", path: "/nodes", ready: `section[aria-label="Nodes"] tbody tr a`, click: nav("/nodes") },
    {
      name: "Events",
      path: "/events",
      ready: `section[aria-label="Events, newest first"] li, main [role="status"] h2, main h2`,
      click: nav("/events"),
    },
    { name: "Alerts", path: "/alerts", ready: `main h1 ~ *, main [role="list"], main h2`, click: nav("/alerts") },
    { name: "Audit log", path: "/audit", ready: "main table tbody tr", click: nav("/audit") },
    {
      name: "Diagnose",
      path: `/diagnose?model=${model}`,
      ready: `main [aria-busy="false"]`,
      click: nav("/diagnose"),
      clickedReady: "main select",
    },
  ];
}
