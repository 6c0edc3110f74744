import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";

export interface LeaveGuard {
  /** Where somebody wants to go; null while nobody does. */
  readonly target: string | null;
  stay(): void;
  leave(): void;
}

/** Asks before the page is left with something unfinished: by a link of ours, by closing the tab or by another address. */
export function useLeaveGuard(unfinished: boolean): LeaveGuard {
  const router = useRouter();
  const [target, setTarget] = useState<string | null>(null);
  useEffect(() => {
    if (!unfinished) return;
    const unload = (event: BeforeUnloadEvent) => event.preventDefault();
    const click = (event: MouseEvent) => {
      const href = leavingLink(event);
      if (href === null) return;
      // Before the router's own handler sees the click.
      event.preventDefault();
      event.stopPropagation();
      setTarget(href);
    };
    window.addEventListener("beforeunload", unload);
    document.addEventListener("click", click, { capture: true });
    return () => {
      window.removeEventListener("beforeunload", unload);
      document.removeEventListener("click", click, { capture: true });
    };
  }, [unfinished]);
  return {
    target,
    stay: () => setTarget(null),
    leave: () => {
      if (target !== null) router.push(target);
      setTarget(null);
    },
  };
}

/** The address a plain click on a link leads to, when that is another page of ours. */
function leavingLink(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target === "_blank" || link.hasAttribute("download")) return null;
  const url = new URL(link.href);
  if (url.origin !== location.origin || url.pathname === location.pathname) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}
