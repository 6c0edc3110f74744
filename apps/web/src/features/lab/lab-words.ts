import type { LabJobSummary, LabKind, LabPhase } from "@nereid/services";
import { formatDuration } from "@nereid/ui";

type Tone = "neutral" | "ok" | "busy" | "warn" | "bad";

export const PHASE_WORDS: Readonly<Record<LabPhase, { readonly text: string; readonly tone: Tone }>> = {
  waiting: { text: "Waits", tone: "neutral" },
  running: { text: "Running", tone: "busy" },
  succeeded: { text: "Done", tone: "ok" },
  failed: { text: "Failed", tone: "bad" },
  cancelled: { text: "Stopped", tone: "warn" },
};

/** What a job of a kind is called, and where those of its kind are. */
export const KIND_WORDS: Readonly<
  Record<LabKind, { readonly one: string; readonly many: string; readonly path: string }>
> = {
  "load-test": { one: "load test", many: "load tests", path: "/load-tests" },
  tuning: { one: "tuning", many: "tunings", path: "/tuner" },
  experiment: { one: "experiment", many: "experiments", path: "/experiments" },
};

/** Address of a job's page. */
export function jobPath({ kind, id }: Pick<LabJobSummary, "kind" | "id">): string {
  return `${KIND_WORDS[kind].path}/${encodeURIComponent(id)}`;
}

/** How it stands, in a line: what it says of itself, or why it says nothing. */
export function jobLine({
  state,
  says,
  cancelAsked,
  active,
}: Pick<LabJobSummary, "state" | "says" | "cancelAsked" | "active">): string {
  if (active && cancelAsked) return "Is being stopped";
  if (state.kind === "waiting") return "Waits until nothing else is measured on its server";
  if (state.kind === "failed") return state.problem.message;
  if (says !== "") return says;
  if (state.kind === "running") return "Begins";
  return state.kind === "cancelled" ? "Stopped before it began" : "";
}

/** How long it ran, or has run so far; null before it began. */
export function jobDuration(state: LabJobSummary["state"], nowMs: number): string | null {
  if (state.kind === "waiting" || state.startedAtMs === null) return null;
  const endMs = state.kind === "running" ? nowMs : state.endedAtMs;
  const seconds = Math.max(0, Math.round((endMs - state.startedAtMs) / 1000));
  if (seconds < 60) return formatDuration(endMs - state.startedAtMs);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}
