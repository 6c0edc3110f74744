/** Fingerprints by model name, as one look at the repositories found them. */
export type Observation = ReadonlyMap<string, string>;

export interface PollPlan {
  /** New or changed models whose files stood still between two looks. */
  readonly load: readonly string[];
  /** Models that are served and whose directory is gone (seen gone twice). */
  readonly unload: readonly string[];
  /** Something is still changing: look again soon. */
  readonly unsettled: boolean;
}

/**
 * Decides what a poll does. A change counts only when two looks in a row agree on it, so a copy in progress is never loaded.
 * `acted` holds the fingerprint each model had when it was last loaded or tried: a model that failed is tried again only
 * after its files changed. Pure.
 */
export function planPoll(acted: Observation, previous: Observation, now: Observation): PollPlan {
  const load: string[] = [];
  const unload: string[] = [];
  let unsettled = false;
  for (const [name, fingerprint] of now) {
    if (acted.get(name) === fingerprint) continue;
    if (previous.get(name) === fingerprint) load.push(name);
    else unsettled = true;
  }
  for (const name of acted.keys()) {
    if (now.has(name)) continue;
    if (previous.has(name)) unsettled = true;
    else unload.push(name);
  }
  return { load, unload, unsettled };
}
