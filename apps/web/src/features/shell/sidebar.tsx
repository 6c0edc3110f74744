import { Wordmark } from "@nereid/ui";
import Link from "../../lib/link.tsx";
import { DepthLines } from "./depth-lines.tsx";
import { NavLinks } from "./nav-links.tsx";

const WATER = "bg-linear-to-b from-(--nav-top) to-(--nav-bottom) text-white";

/** Navigation at the left; a strip at the top where there is no room beside the page. */
export function Sidebar() {
  return (
    <>
      <nav
        aria-label="Main"
        className={`sticky top-0 hidden h-dvh w-52 shrink-0 flex-col overflow-hidden lg:flex ${WATER}`}
      >
        <Link href="/" className="flex h-14 items-center rounded-md px-5 focus-visible:-outline-offset-2">
          <Wordmark />
        </Link>
        <NavLinks className="relative z-10 space-y-1 px-2.5 pt-3" />
        <DepthLines />
      </nav>
      <nav aria-label="Main" className={`flex items-center gap-1 px-2 py-1.5 lg:hidden ${WATER}`}>
        <Link href="/" aria-label="Nereid" className="px-2 py-1">
          <Wordmark className="[&>svg]:size-5" />
        </Link>
        <NavLinks className="relative ml-auto flex min-w-0 gap-0.5 overflow-x-auto [&>li]:shrink-0" />
      </nav>
    </>
  );
}
