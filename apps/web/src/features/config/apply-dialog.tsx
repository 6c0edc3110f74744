"use client";

import type { ConfigChange } from "@nereid/client";
import { Banner, Button, CopyAsMenu, Dialog, Textarea, ToggleGroup } from "@nereid/ui";
import { ConfigDiff } from "@nereid/ui/config-editor";
import { useState } from "react";
import { changeWords } from "./change-words.ts";
import { copyApply } from "./copy-as.ts";

const MODES = [
  { value: "unified", label: "Unified" },
  { value: "side-by-side", label: "Side by side" },
] as const;

export interface ApplyDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly model: string;
  readonly served: { readonly text: string; readonly digest: string };
  readonly text: string;
  /** Null until the server has said what it would do. */
  readonly change: ConfigChange | null;
  readonly busy: boolean;
  readonly onApply: (reason: string) => void;
}

/** What will change, what that does to the running model, and why it is done. */
export function ApplyDialog({ open, onOpenChange, model, served, text, change, busy, onApply }: ApplyDialogProps) {
  const [reason, setReason] = useState("");
  const [mode, setMode] = useState<"unified" | "side-by-side">("unified");
  const given = reason.trim();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="wide"
      title={`Apply the configuration of ${model}`}
      description="Review what differs from the file that is there now."
      footer={
        <>
          <div className="mr-auto">
            <CopyAsMenu
              {...(open
                ? copyApply({ origin: location.origin, model, text, ifDigest: served.digest, reason: given })
                : { curl: "", typescript: "", python: "", cli: "" })}
            />
          </div>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button tone="primary" busy={busy} onClick={() => onApply(given)}>
            Apply
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 className="font-medium">Differences</h3>
          <div className="hidden md:block">
            <ToggleGroup label="How differences are shown" value={mode} options={MODES} onChange={setMode} />
          </div>
        </div>
        <ConfigDiff before={served.text} after={text} beforeLabel="The file now" afterLabel="Your text" mode={mode} />
        <Banner tone="info">
          {change === null ? "Asking the server what this does to the running model…" : changeWords(change)} Should the
          load fail, the present configuration comes back and goes on serving.
        </Banner>
        <Textarea
          label="Reason (optional)"
          hint="Kept in the history and in the audit log."
          maxLength={500}
          rows={2}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
    </Dialog>
  );
}
