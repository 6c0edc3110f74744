import type { LabKind } from "../lab-task.ts";

/** What must be known of an active job to decide about it. */
export interface ActiveJob {
  readonly id: string;
  readonly kind: LabKind;
  readonly node: string;
  readonly phase: "waiting" | "running";
  readonly cancelAsked: boolean;
}

export type LabMove =
  /** It has waited long enough, or goes on from where another process left it. */
  | { readonly kind: "begin"; readonly id: string }
  /** It runs here and is to stop. */
  | { readonly kind: "stop"; readonly id: string }
  /** It is to stop and runs nowhere. */
  | { readonly kind: "cancel"; readonly id: string }
  /** Its process is gone, and half of it is worth nothing. */
  | { readonly kind: "lose"; readonly id: string };

/** Kinds that go on after a restart: what they measured before still counts. Half a load test is none. */
const GOES_ON: Readonly<Record<LabKind, boolean>> = { "load-test": false, tuning: true, experiment: true };

/**
 * What is to be done now, with one job at a time on a server: two would measure each other. `jobs` are all that are active, oldest first;
 * `mine` are those that run in this process. A job that runs and is nobody's was left by a process that is gone. Pure.
 */
export function decideLab(jobs: readonly ActiveJob[], mine: ReadonlySet<string>): LabMove[] {
  const busy = new Set(jobs.filter(({ id }) => mine.has(id)).map(({ node }) => node));
  const moves: LabMove[] = [];
  // Those that were under way come before those that wait.
  for (const { id, kind, node, phase, cancelAsked } of jobs.toSorted((a, b) => rank(a) - rank(b))) {
    if (mine.has(id)) {
      if (cancelAsked) moves.push({ kind: "stop", id });
    } else if (cancelAsked) {
      moves.push({ kind: "cancel", id });
    } else if (phase === "running" && !GOES_ON[kind]) {
      moves.push({ kind: "lose", id });
    } else if (!busy.has(node)) {
      busy.add(node);
      moves.push({ kind: "begin", id });
    }
  }
  return moves;
}

function rank({ phase }: ActiveJob): number {
  return phase === "running" ? 0 : 1;
}
