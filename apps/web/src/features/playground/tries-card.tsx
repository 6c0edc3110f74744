import { Badge, Card, formatDuration, Message } from "@nereid/ui";
import { LocalTime } from "../audit/local-time.tsx";
import type { Try } from "./session-store.ts";

export interface TriesCardProps {
  readonly tries: readonly Try[];
  readonly onRestore: (one: Try) => void;
}

/** What was sent before, the newest first. */
export function TriesCard({ tries, onRestore }: TriesCardProps) {
  return (
    <Card flush title="Sent before" hint="The last 20, in this tab. A click puts one back into the form.">
      {tries.length === 0 ? (
        <Message kind="empty" title="Nothing yet" className="py-6" />
      ) : (
        <ol aria-label="Sent before" className="max-h-72 overflow-y-auto">
          {tries.map((one) => (
            <li key={one.at} className="border-b last:border-b-0">
              <button
                type="button"
                className="flex min-h-9 w-full flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 text-left hover:bg-raised/50"
                onClick={() => onRestore(one)}
              >
                <LocalTime at={new Date(one.at)} />
                <span className="font-mono text-[0.857rem]">
                  {one.drafts.map(({ kind, shape }) => `${kind} ${shape.join("×")}`).join(", ")}
                </span>
                {one.failure === null ? (
                  <span className="ml-auto font-mono text-[0.857rem]">{formatDuration(one.wholeMs)}</span>
                ) : (
                  <span className="ml-auto">
                    <Badge tone="bad">{one.failure}</Badge>
                  </span>
                )}
              </button>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
