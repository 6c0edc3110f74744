"use client";

import { formatAge, formatDateTime } from "@nereid/ui";
import { useHydrated } from "../../lib/use-hydrated.ts";

export interface LocalTimeProps {
  readonly at: Date;
  /** "5 min ago" instead of date and time, which then is the title. */
  readonly relative?: boolean;
}

/** A moment in the reader's zone; in UTC until the reader's zone is known. */
export function LocalTime({ at, relative = false }: LocalTimeProps) {
  const hydrated = useHydrated();
  const exact = hydrated ? formatDateTime(at) : at.toISOString();
  return (
    <time dateTime={at.toISOString()} title={hydrated ? at.toISOString() : undefined}>
      {relative && hydrated ? formatAge(at, Date.now()) : exact}
    </time>
  );
}
