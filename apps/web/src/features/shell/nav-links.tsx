"use client";

import { cn } from "@nereid/ui";
import { usePathname, useSearchParams } from "next/navigation";
import { useRef } from "react";
import Link from "../../lib/link.tsx";
import { useCurrentInSight } from "../../lib/use-current-in-sight.ts";
import { withNode } from "../nodes/chosen-node.ts";
import { useNode } from "../nodes/node-context.tsx";
import { ROUTES } from "./routes.ts";

/** The time range goes along from page to page. */
export function NavLinks({ className }: { readonly className?: string }) {
  const pathname = usePathname();
  const range = useSearchParams().get("range");
  const { id: node } = useNode();
  const list = useRef<HTMLUListElement>(null);
  useCurrentInSight(list, pathname);
  return (
    <ul ref={list} className={className}>
      {ROUTES.map(({ path, title, Icon }) => {
        const current = pathname === path || (path !== "/" && pathname.startsWith(`${path}/`));
        return (
          <li key={path}>
            <Link
              href={withNode(range === null ? path : `${path}?range=${encodeURIComponent(range)}`, node)}
              aria-current={current ? "page" : undefined}
              className={cn(
                "flex h-9 items-center gap-2.5 rounded-md px-3 font-medium text-[0.929rem] text-[oklch(0.88_0.03_205)] transition-colors hover:bg-white/8 hover:text-white focus-visible:outline-[oklch(0.86_0.12_190)]",
                current && "bg-white/12 text-white shadow-[inset_2px_0_0_oklch(0.84_0.125_186)]",
              )}
            >
              <Icon aria-hidden className="size-4 shrink-0 max-sm:size-5" />
              <span className="max-sm:sr-only">{title}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
