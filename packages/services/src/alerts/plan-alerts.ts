import type { Severity } from "../slos/burn-rate.ts";

/** Something that is wrong at this moment. */
export interface Trouble {
  /** Names it; the same trouble has the same key. */
  readonly key: string;
  readonly severity: Severity;
  readonly title: string;
  readonly model?: string;
  readonly node?: string;
  readonly sloId?: string;
  readonly facts: Readonly<Record<string, string | number>>;
}

export interface AlertPlan {
  readonly open: readonly Trouble[];
  /** Keys of open alerts whose trouble is over. */
  readonly close: readonly string[];
}

/** What has to be opened and closed so that the open alerts are the troubles. `unknown`: keys about which nothing could be found out; they stay. */
export function planAlerts(
  troubles: readonly Trouble[],
  {
    openKeys,
    unknown = () => false,
  }: { readonly openKeys: readonly string[]; readonly unknown?: (key: string) => boolean },
): AlertPlan {
  const now = new Set(troubles.map(({ key }) => key));
  const open = new Set(openKeys);
  const fresh = new Map(troubles.filter(({ key }) => !open.has(key)).map((trouble) => [trouble.key, trouble]));
  return { open: [...fresh.values()], close: [...open].filter((key) => !now.has(key) && !unknown(key)) };
}
