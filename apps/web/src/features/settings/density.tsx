"use client";

import type { Preferences } from "@nereid/services";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTRPC } from "../../lib/trpc.tsx";

/** Gives the page the density that its reader has chosen. */
export function Density() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settings.preferences.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }));
  const density: Preferences["density"] = data?.density ?? "comfortable";
  useEffect(() => {
    document.documentElement.dataset["density"] = density;
  }, [density]);
  return null;
}
