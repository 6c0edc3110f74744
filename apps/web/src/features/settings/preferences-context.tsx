"use client";

import type { Preferences } from "@nereid/services";
import { showTimesIn } from "@nereid/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import { toast } from "sonner";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { preferredRange } from "./preferred-range.ts";

export interface PreferencesView {
  readonly preferences: Preferences;
  /** Keeps a change; what it does not name stays. */
  save(change: Partial<Preferences>): void;
}

const PreferencesContext = createContext<PreferencesView | null>(null);

/** How the reader likes to look at things, and how they change it. */
export function usePreferences(): PreferencesView {
  const view = useContext(PreferencesContext);
  if (view === null) throw new Error("usePreferences needs a PreferencesProvider");
  return view;
}

/** The range of the address, or, where it has none, the one that the reader prefers among those that the page offers. */
export function useRange<Range extends string>(
  inAddress: Range | null,
  offered: Readonly<Record<Range, number>>,
  own: Range,
): Range {
  const { preferences } = usePreferences();
  return inAddress ?? preferredRange(preferences.range, offered, own);
}

export interface PreferencesProviderProps {
  /** As they came with the page. */
  readonly initial: Preferences;
  readonly children: ReactNode;
}

/** Gives the pages what their reader has chosen: density, zone of the times, range, keys. */
export function PreferencesProvider({ initial, children }: PreferencesProviderProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const options = trpc.settings.preferences.queryOptions(undefined, { initialData: initial, staleTime: STALE_MS });
  const { data: preferences } = useQuery(options);
  const keep = useMutation(
    trpc.settings.savePreferences.mutationOptions({
      onError: (error) => {
        const { message, fix } = shownError(error);
        toast.error(message, { duration: 12_000, ...(fix !== null && { description: fix }) });
      },
      // One after the other, so that the last change is the last that is kept.
      scope: { id: "preferences" },
      // What the server has after one of several changes would take the others back.
      onSettled: () => {
        const isLast = queryClient.isMutating({ mutationKey: trpc.settings.savePreferences.mutationKey() }) <= 1;
        return isLast ? queryClient.invalidateQueries({ queryKey: options.queryKey }) : undefined;
      },
    }),
  );
  const { density, timeZone } = preferences;
  // Before anything below writes a time. On the server nothing does: it does not know the browser's zone.
  if (typeof window !== "undefined") showTimesIn(timeZone);
  useEffect(() => {
    document.documentElement.dataset["density"] = density;
  }, [density]);
  const save = (change: Partial<Preferences>) => {
    // An answer that is on its way does not know of this change.
    void queryClient.cancelQueries({ queryKey: options.queryKey }, { revert: false });
    const next = { ...(queryClient.getQueryData(options.queryKey) ?? preferences), ...change };
    queryClient.setQueryData(options.queryKey, next);
    keep.mutate(next);
  };
  return <PreferencesContext value={{ preferences, save }}>{children}</PreferencesContext>;
}

const STALE_MS = 60_000;
