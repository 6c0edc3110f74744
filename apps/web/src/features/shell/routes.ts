import {
  BellRing,
  Boxes,
  CalendarClock,
  FlaskConical,
  Gauge,
  LayoutDashboard,
  Route,
  ScrollText,
  Server,
  Settings,
  SlidersHorizontal,
  Stethoscope,
  UploadCloud,
} from "lucide-react";

/** Pages of the navigation, in order. Only pages that exist. */
export const ROUTES = [
  { path: "/", title: "Overview", Icon: LayoutDashboard },
  { path: "/models", title: "Models", Icon: Boxes },
  { path: "/deploy", title: "Deploy", Icon: UploadCloud },
  { path: "/rollouts", title: "Rollouts", Icon: Route },
  { path: "/load-tests", title: "Load tests", Icon: Gauge },
  { path: "/tuner", title: "Tuner", Icon: SlidersHorizontal },
  { path: "/experiments", title: "Experiments", Icon: FlaskConical },
  { path: "/alerts", title: "Alerts", Icon: BellRing },
  { path: "/events", title: "Events", Icon: CalendarClock },
  { path: "/diagnose", title: "Diagnose", Icon: Stethoscope },
  { path: "/nodes", title: "Nodes", Icon: Server },
  { path: "/audit", title: "Audit log", Icon: ScrollText },
  { path: "/settings", title: "Settings", Icon: Settings },
] as const;

const PARTS: Readonly<Record<string, string>> = {
  instances: "Instances",
  shapes: "Shapes",
  playground: "Playground",
  logs: "Logs",
  memory: "Memory",
  graph: "Graph",
  latency: "Latency",
  requests: "Requests",
  config: "Config",
  versions: "Versions",
  account: "Account",
  appearance: "Appearance",
  general: "General",
  keys: "API keys",
  nodes: "Nodes",
  users: "Users",
  slos: "Objectives",
  notifications: "Notifications",
  new: "New",
};

export interface Crumb {
  readonly title: string;
  readonly path: string;
}

/** Pages below which a part is no model's name. */
const JOBS: readonly string[] = ["load-tests", "tuner", "experiments"];

/** The way from the first page to this address. */
export function crumbsOf(pathname: string): Crumb[] {
  if (pathname === "/") return [{ title: "Overview", path: "/" }];
  const [first = "", ...rest] = pathname.split("/").filter((part) => part !== "");
  const route = ROUTES.find(({ path }) => path === `/${first}`);
  if (route === undefined) return [];
  const crumbs: Crumb[] = [{ title: route.title, path: route.path }];
  let path: string = route.path;
  for (const part of rest) {
    path += `/${part}`;
    // The second part may be a model of any name; only what comes after it, or below the settings, is ours.
    const own = first === "settings" || JOBS.includes(first) || crumbs.length > 1;
    crumbs.push({ title: (own ? PARTS[part] : undefined) ?? decodePart(part), path });
  }
  return crumbs;
}

/** Ids of rollouts and of jobs: their beginning tells them apart, and the page has the title. */
const ID = /^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function decodePart(part: string): string {
  const id = ID.exec(part)?.[1];
  if (id !== undefined) return id;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
