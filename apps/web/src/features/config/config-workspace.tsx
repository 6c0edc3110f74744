"use client";

import type { ModelConfigState } from "@nereid/client";
import { applyEdits } from "@nereid/model-config";
import { Banner, Button, Card, ConfirmDialog, Kbd, ToggleGroup } from "@nereid/ui";
import { ConfigEditor, type ConfigEditorHandle } from "@nereid/ui/config-editor";
import { AlignLeft, Split, Undo2 } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useEffect, useMemo, useRef, useState } from "react";
import Link from "../../lib/link.tsx";
import { useSession } from "../shell/session-context.tsx";
import { ApplyDialog } from "./apply-dialog.tsx";
import { ApplyFailureBanner } from "./apply-failure-banner.tsx";
import { changeWords } from "./change-words.ts";
import { ConflictCard } from "./conflict-card.tsx";
import { EffectiveCard } from "./effective-card.tsx";
import { FindingsCard } from "./findings-card.tsx";
import { FormView } from "./form/form-view.tsx";
import { HistoryCard } from "./history-card.tsx";
import { configSearchParams } from "./search-params.ts";
import { useApplyConfig } from "./use-apply-config.ts";
import { type ConfigFinding, useConfigCheck } from "./use-config-check.ts";
import { useConfigDraft } from "./use-config-draft.ts";
import { useLeaveGuard } from "./use-leave-guard.ts";

const VIEW_OPTIONS = [
  { value: "text", label: "Text" },
  { value: "form", label: "Form" },
] as const;

const FORBIDDEN = "Your role may read configurations but not change them. An administrator can make you an operator.";

/** Editor, findings, effective configuration and history around one text. */
export function ConfigWorkspace({ name, served }: { readonly name: string; readonly served: ModelConfigState }) {
  const [{ view }, setParams] = useQueryStates(configSearchParams);
  const [reviewing, setReviewing] = useState(false);
  const [discarding, setDiscarding] = useState(false);
  const [target, setTarget] = useState<number | null>(null);
  const editor = useRef<ConfigEditorHandle>(null);
  const readOnly = !useSession().permissions.includes("model.configure");
  const draft = useConfigDraft(name, served);
  const { text, kind } = draft.state;
  const check = useConfigCheck(name, text, served.graph);
  const calls = useApplyConfig(name, { onApplied: draft.discard, onEnd: () => setReviewing(false) });
  const guard = useLeaveGuard(kind !== "clean" && !calls.applying);
  const names = useMemo(
    () => ({
      inputs: served.graph?.inputs.map((tensor) => tensor.name) ?? [],
      outputs: served.graph?.outputs.map((tensor) => tensor.name) ?? [],
    }),
    [served.graph],
  );
  const findings = check.diagnosis.diagnostics;
  const refusal = applyRefusal({
    readOnly,
    kind,
    errors: findings.filter(({ severity }) => severity === "error").length,
  });

  useEffect(() => {
    // The editor is there only in the text view, which the line may have been chosen from outside of.
    if (view !== "text" || target === null) return;
    editor.current?.goTo(target);
    setTarget(null);
  }, [view, target]);

  const goTo = (offset: number) => {
    setTarget(offset);
    if (view !== "text") void setParams({ view: "text" });
  };
  const fix = (finding: ConfigFinding) => {
    if (finding.fix !== undefined && check.diagnosis.text === text) draft.type(applyEdits(text, finding.fix.edits));
  };
  const review = () => {
    if (refusal === null) setReviewing(true);
  };

  return (
    <div className="space-y-4">
      {readOnly ? <Banner tone="info">{FORBIDDEN}</Banner> : null}
      {served.exists ? null : (
        <Banner tone="info">There is no config.pbtxt yet: everything is completed from the model’s graph.</Banner>
      )}
      {draft.state.kind === "conflict" ? (
        <ConflictCard
          model={name}
          mine={text}
          base={draft.state.base}
          theirs={draft.state.theirs}
          onRebase={draft.rebase}
          onDiscard={() => setDiscarding(true)}
        />
      ) : null}
      {calls.failure === null ? null : <ApplyFailureBanner failure={calls.failure} onClose={calls.forget} />}
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <Card
          title="config.pbtxt"
          hint={kind === "clean" ? "As it is on the disk" : "Changed here, not applied"}
          actions={
            <>
              <ToggleGroup
                label="View of the configuration"
                value={view}
                options={VIEW_OPTIONS}
                onChange={(next) => void setParams({ view: next }, { history: "push" })}
              />
              {view === "text" && !readOnly ? (
                <Button size="small" className="h-8" onClick={() => editor.current?.format()}>
                  <AlignLeft aria-hidden />
                  Format
                </Button>
              ) : null}
              {kind === "clean" ? null : (
                <Button size="small" className="h-8" onClick={() => setDiscarding(true)}>
                  <Undo2 aria-hidden />
                  Discard
                </Button>
              )}
              {refusal === null ? (
                <Button asChild size="small" className="h-8">
                  <Link href={`/rollouts?model=${encodeURIComponent(name)}&what=config`}>
                    <Split aria-hidden />
                    Roll out in steps
                  </Link>
                </Button>
              ) : null}
              <Button
                size="small"
                tone="primary"
                className="h-8"
                aria-disabled={refusal !== null}
                aria-describedby="apply-refusal"
                onClick={review}
              >
                Review and apply
              </Button>
            </>
          }
        >
          {view === "form" ? (
            <FormView text={text} names={names} readOnly={readOnly} onChange={draft.type} onGoTo={goTo} />
          ) : (
            <ConfigEditor
              ref={editor}
              value={text}
              onChange={draft.type}
              label={`Configuration of ${name}`}
              readOnly={readOnly}
              diagnosis={check.diagnosis}
              names={names}
              onSave={review}
              className="h-[min(36rem,70vh)]"
            />
          )}
          <div className="mt-3 flex flex-wrap justify-between gap-x-4 gap-y-1 text-[0.857rem] text-ink-soft">
            <p id="apply-refusal">
              {refusal ?? (check.change === null ? "Asking the server what applying does…" : changeWords(check.change))}
            </p>
            {view === "text" ? (
              <p className="hidden sm:block">
                <Kbd>F8</Kbd> next finding, <Kbd>Ctrl</Kbd> <Kbd>Space</Kbd> suggestions, <Kbd>Ctrl</Kbd> <Kbd>S</Kbd>{" "}
                review
              </p>
            ) : null}
          </div>
        </Card>
        <div className="grid min-w-0 gap-4">
          <FindingsCard
            findings={findings}
            confirmed={check.confirmed}
            unreachable={check.error !== null}
            readOnly={readOnly}
            onGoTo={goTo}
            onFix={fix}
          />
          <EffectiveCard
            effective={check.effective ?? served.effective}
            current={check.confirmed && check.effective !== null}
          />
        </div>
      </div>
      <HistoryCard
        model={name}
        digest={served.digest}
        refusal={readOnly ? FORBIDDEN : kind === "clean" ? null : "Apply or discard your changes first."}
        restoring={calls.restoring}
        onRestore={(id) => calls.restore({ id, ifDigest: served.digest })}
      />
      <ApplyDialog
        open={reviewing}
        onOpenChange={setReviewing}
        model={name}
        served={served}
        text={text}
        change={check.change}
        busy={calls.applying}
        onApply={(reason) => calls.apply({ text, ifDigest: served.digest, reason })}
      />
      <ConfirmDialog
        open={discarding}
        onOpenChange={setDiscarding}
        title="Discard your changes?"
        action="Discard them"
        onConfirm={draft.discard}
      >
        <p>What you wrote is gone; the file on the disk stays as it is.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={guard.target !== null}
        onOpenChange={(open) => {
          if (!open) guard.stay();
        }}
        title="Leave without applying?"
        action="Leave"
        onConfirm={guard.leave}
      >
        <p>Your text is kept in this browser tab until you come back, and lost when the tab is closed.</p>
      </ConfirmDialog>
    </div>
  );
}

/** Why the text cannot be applied now; null when it can. */
function applyRefusal(at: {
  readonly readOnly: boolean;
  readonly kind: string;
  readonly errors: number;
}): string | null {
  if (at.readOnly) return "Your role may not change it.";
  if (at.kind === "clean") return "Nothing is changed.";
  if (at.kind === "conflict") return "The file was changed meanwhile; choose above how to go on.";
  return at.errors === 0
    ? null
    : `${at.errors === 1 ? "An error has" : `${at.errors} errors have`} to be corrected first.`;
}
