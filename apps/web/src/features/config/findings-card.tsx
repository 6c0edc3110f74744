import { Badge, Button, Card } from "@nereid/ui";
import { CircleCheck, Info, OctagonX, TriangleAlert, Wrench } from "lucide-react";
import { countWords } from "./change-words.ts";
import type { ConfigFinding } from "./use-config-check.ts";

const LOOK = {
  error: { Icon: OctagonX, tone: "bad", word: "Error" },
  warning: { Icon: TriangleAlert, tone: "warn", word: "Warning" },
  info: { Icon: Info, tone: "busy", word: "Hint" },
} as const;

export interface FindingsCardProps {
  readonly findings: readonly ConfigFinding[];
  /** Whether the server agrees already. */
  readonly confirmed: boolean;
  readonly unreachable: boolean;
  readonly readOnly: boolean;
  readonly onGoTo: (offset: number) => void;
  readonly onFix: (finding: ConfigFinding) => void;
}

/** Everything that is to be said about the text, each with the way to it and, where one click corrects it, with that. */
export function FindingsCard({ findings, confirmed, unreachable, readOnly, onGoTo, onFix }: FindingsCardProps) {
  const source = confirmed
    ? "Checked by the server"
    : unreachable
      ? "Checked in the browser; the server does not answer"
      : "Checked in the browser, asking the server";
  return (
    <Card flush title="Findings" hint={source} actions={<span role="status">{countWords(findings)}</span>}>
      {findings.length === 0 ? (
        <p className="flex items-center gap-2 p-4 text-ink-soft">
          <CircleCheck aria-hidden className="size-4 text-ok" />
          Nothing to complain about.
        </p>
      ) : (
        <ul className="max-h-96 divide-y divide-line overflow-y-auto">
          {findings.map((finding) => {
            const { Icon, tone, word } = LOOK[finding.severity];
            return (
              <li
                key={`${finding.offset} ${finding.code} ${finding.message}`}
                className="space-y-1.5 px-4 py-2.5 text-[0.929rem]"
              >
                <div className="flex flex-wrap items-center gap-2">
                  <Badge tone={tone}>
                    <Icon aria-hidden />
                    {word}
                  </Badge>
                  <Button
                    tone="quiet"
                    size="small"
                    aria-label={`Go to line ${finding.line}`}
                    onClick={() => onGoTo(finding.offset)}
                  >
                    Line {finding.line}
                  </Button>
                </div>
                <p className="[overflow-wrap:anywhere]">{finding.message}</p>
                {finding.help === undefined ? null : (
                  <p className="text-[0.857rem] text-ink-soft [overflow-wrap:anywhere]">{finding.help}</p>
                )}
                {finding.fix === undefined || readOnly ? null : (
                  <Button size="small" className="max-w-full" onClick={() => onFix(finding)}>
                    <Wrench aria-hidden />
                    <span className="truncate">{finding.fix.title}</span>
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
