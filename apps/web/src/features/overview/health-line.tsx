import type { Overview } from "@nereid/services";
import { cn } from "@nereid/ui";
import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from "lucide-react";
import { LocalTime } from "../audit/local-time.tsx";

const LOOKS = {
  good: { Icon: CircleCheck, frame: "border-ok/40 bg-ok-wash", icon: "text-ok", word: "Good" },
  degraded: { Icon: TriangleAlert, frame: "border-warn/40 bg-warn-wash", icon: "text-warn", word: "Degraded" },
  bad: { Icon: CircleX, frame: "border-bad/40 bg-bad-wash", icon: "text-bad", word: "Bad" },
  unknown: { Icon: CircleHelp, frame: "bg-panel", icon: "text-ink-soft", word: "Unknown" },
} as const;

export interface HealthLineProps {
  readonly health: Overview["health"];
  /** When the shown data came, if it can no longer be refreshed; Unix milliseconds. */
  readonly staleSince: number | null;
}

/** The one sentence to read. */
export function HealthLine({ health, staleSince }: HealthLineProps) {
  const { Icon, frame, icon, word } = LOOKS[health.state];
  return (
    <div className={cn("flex items-start gap-3 rounded-lg border px-4 py-3", frame)}>
      <Icon aria-label={word} className={cn("mt-0.5 size-5 shrink-0", icon)} />
      <div>
        <p className="font-semibold">{health.sentence}</p>
        {staleSince === null ? null : (
          <p className="text-[0.893rem] text-ink-soft">
            As of <LocalTime at={new Date(staleSince)} />; the dashboard does not answer, trying again.
          </p>
        )}
      </div>
    </div>
  );
}
