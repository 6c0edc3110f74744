import type { ReactNode } from "react";
import { cn } from "../cn.ts";

export interface TabLink {
  /** Identifies the tab; usually its address. */
  readonly value: string;
  /** The link itself, e.g. `<Link href="…">Config</Link>`, drawn by `renderLink`. */
  readonly label: ReactNode;
  readonly href: string;
}

export interface TabLinkProps {
  readonly href: string;
  readonly className: string;
  readonly children: ReactNode;
  readonly "aria-current": "page" | undefined;
}

export interface TabsProps {
  /** What the tabs belong to, for screen readers. */
  readonly label: string;
  readonly tabs: readonly TabLink[];
  readonly current: string;
  /** Draws one link with the router's own component. */
  readonly renderLink: (props: TabLinkProps) => ReactNode;
}

/** Tabs that are pages of their own: each is a link with an address. */
export function Tabs({ label, tabs, current, renderLink }: TabsProps) {
  return (
    <nav aria-label={label} className="overflow-x-auto border-b">
      <ul className="flex gap-1">
        {tabs.map((tab) => {
          const active = tab.value === current;
          return (
            <li key={tab.value}>
              {renderLink({
                href: tab.href,
                "aria-current": active ? "page" : undefined,
                className: cn(
                  "-mb-px inline-flex h-9 items-center gap-1.5 whitespace-nowrap rounded-t-md border-b-2 px-3 font-medium text-[0.929rem]",
                  active
                    ? "border-accent text-ink"
                    : "border-transparent text-ink-soft hover:border-line-strong hover:text-ink",
                ),
                children: tab.label,
              })}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
