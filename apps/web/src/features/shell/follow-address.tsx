"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent } from "react";

/** Longer than the router takes to answer a Back, shorter than anybody waits. */
const SETTLE_MS = 800;
const TRIES = 5;

/**
 * Brings the page to its address when it was left behind. Addresses that the pages have made keep the router's tree of the page before:
 * after a reload the first Back finds another page than that, and the router asks a second time. A second Back at that moment makes
 * it give this up, and what waits for it never comes.
 */
export function FollowAddress() {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams().toString();
  const isBehind = useEffectEvent(() => {
    const { location } = window;
    const behind = location.pathname !== pathname || new URLSearchParams(location.search).toString() !== search;
    if (behind) router.replace(`${location.pathname}${location.search}${location.hash}`, { scroll: false });
    return behind;
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (tries: number) => {
      timer = setTimeout(() => {
        if (isBehind() && tries > 1) look(tries - 1);
      }, SETTLE_MS);
    };
    const onBack = () => {
      clearTimeout(timer);
      look(TRIES);
    };
    addEventListener("popstate", onBack);
    return () => {
      clearTimeout(timer);
      removeEventListener("popstate", onBack);
    };
  }, []);
  return null;
}
