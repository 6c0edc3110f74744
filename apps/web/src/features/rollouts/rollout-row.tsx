import type { RolloutSummary } from "@nereid/services";
import { Badge } from "@nereid/ui";
import Link from "../../lib/link.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import { PHASE_WORDS, rolloutTitle } from "./rollout-words.ts";

/** One rollout in the list: what, where it stands, and its verdict. */
export function RolloutRow({ rollout }: { readonly rollout: RolloutSummary }) {
  const { id, phase, verdict, createdAtMs, createdByName } = rollout;
  const { text, tone } = PHASE_WORDS[phase];
  return (
    <li className="space-y-1 px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          href={`/rollouts/${encodeURIComponent(id)}`}
          className="inline-flex min-h-[24px] items-center rounded-sm font-medium hover:underline [overflow-wrap:anywhere]"
        >
          {rolloutTitle(rollout)}
        </Link>
        <Badge tone={tone}>{text}</Badge>
      </p>
      <p className="[overflow-wrap:anywhere]">{verdict}</p>
      <p className="text-[0.857rem] text-ink-soft">
        {createdByName}, <LocalTime at={new Date(createdAtMs)} relative />
      </p>
    </li>
  );
}
