import { Boxes, ScrollText } from "lucide-react";

/** Pages of the navigation, in order. Only pages that exist. */
export const ROUTES = [
  { path: "/models", title: "Models", Icon: Boxes },
  { path: "/audit", title: "Audit log", Icon: ScrollText },
] as const;

export interface Crumb {
  readonly title: string;
  readonly path: string;
}

/** The way from the first page to this address. */
export function crumbsOf(pathname: string): Crumb[] {
  const [first = "", ...rest] = pathname.split("/").filter((part) => part !== "");
  const route = ROUTES.find(({ path }) => path === `/${first}`);
  if (route === undefined) return [];
  const crumbs: Crumb[] = [{ title: route.title, path: route.path }];
  let path: string = route.path;
  for (const part of rest) {
    path += `/${part}`;
    crumbs.push({ title: decodePart(part), path });
  }
  return crumbs;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
