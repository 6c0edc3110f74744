"use client";

import { cn } from "@nereid/ui";
import { ChevronRight } from "lucide-react";
import { usePathname } from "next/navigation";
import Link from "../../lib/link.tsx";
import { withNode } from "../nodes/chosen-node.ts";
import { useNode } from "../nodes/node-context.tsx";
import { type Crumb, crumbsOf } from "./routes.ts";

export function Breadcrumb() {
  const crumbs = crumbsOf(usePathname());
  const { id: node, choices } = useNode();
  const titleOf = ({ path, title }: Crumb) =>
    choices.find(({ id }) => path === `/nodes/${encodeURIComponent(id)}`)?.name ?? title;
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1.5 text-[0.929rem]">
        {crumbs.map((crumb, i) => (
          <li
            key={crumb.path}
            className={cn("min-w-0 items-center gap-1.5", i < crumbs.length - 1 ? "hidden sm:flex" : "flex")}
          >
            {i === 0 ? null : <ChevronRight aria-hidden className="hidden size-3.5 shrink-0 text-ink-soft sm:block" />}
            {i === crumbs.length - 1 ? (
              <span aria-current="page" className="truncate font-medium">
                {titleOf(crumb)}
              </span>
            ) : (
              <Link
                href={withNode(crumb.path, node)}
                className="inline-flex min-h-[24px] items-center rounded-sm text-ink-soft hover:text-ink hover:underline"
              >
                {titleOf(crumb)}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
