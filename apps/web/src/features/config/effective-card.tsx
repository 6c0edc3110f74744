"use client";

import { Card, CopyButton } from "@nereid/ui";
import { ConfigEditor } from "@nereid/ui/config-editor";
import { ChevronRight } from "lucide-react";

export interface EffectiveCardProps {
  /** The completed configuration; null while the text has errors and nothing is served. */
  readonly effective: string | null;
  /** Whether it is of the text as it is now, or of what was served or checked before. */
  readonly current: boolean;
}

/** What the server makes of the text: every default and everything completed from the graph written out. */
export function EffectiveCard({ effective, current }: EffectiveCardProps) {
  return (
    <Card flush>
      <details className="group">
        <summary className="flex min-h-11 list-none items-center gap-2 rounded-lg px-4 py-2.5 font-semibold text-[0.929rem]">
          <ChevronRight aria-hidden className="size-4 shrink-0 transition-transform group-open:rotate-90" />
          Effective configuration
          <span className="font-normal text-[0.857rem] text-ink-soft">
            {effective === null ? "not known" : current ? "of this text" : "of the text before"}
          </span>
        </summary>
        <div className="space-y-2 border-t p-4">
          {effective === null ? (
            <p className="text-ink-soft">Known once the text has no errors.</p>
          ) : (
            <>
              <div className="flex items-center justify-between gap-2">
                <p className="text-[0.857rem] text-ink-soft">Defaults and what is completed from the graph included.</p>
                <CopyButton text={effective} label="Copy the effective configuration" />
              </div>
              <ConfigEditor
                value={effective}
                label="Effective configuration"
                readOnly
                className="max-h-96 min-h-24 overflow-auto"
              />
            </>
          )}
        </div>
      </details>
    </Card>
  );
}
