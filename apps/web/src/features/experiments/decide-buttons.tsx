"use client";

import type { ExperimentVerdict } from "@nereid/perf";
import type { LabJobView } from "@nereid/services";
import { ConfirmDialog } from "@nereid/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "sonner";
import { useTRPC } from "../../lib/trpc.tsx";
import { keepDraft } from "../config/use-config-draft.ts";
import { GuardedButton } from "../models/guarded-button.tsx";
import { withNode } from "../nodes/chosen-node.ts";
import { useChange } from "../settings/use-change.ts";
import type { ExperimentTold } from "./read-experiment.ts";

export interface DecideButtonsProps {
  readonly job: LabJobView;
  readonly spec: NonNullable<ExperimentTold["spec"]>;
  readonly verdict: ExperimentVerdict | null;
}

/** What becomes of the change: kept at once, rolled out in steps, or not kept. */
export function DecideButtons({ job, spec, verdict }: DecideButtonsProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const change = useChange();
  const [asked, setAsked] = useState<"keep" | "revert" | null>(null);
  const decide = useMutation(
    trpc.experiments.decide.mutationOptions({
      ...change,
      onSuccess: (_, { decision }) => {
        toast.success(decision === "keep" ? `${spec.model} has the change` : "Recorded");
        void queryClient.invalidateQueries({ queryKey: trpc.lab.pathKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.config.pathKey() });
      },
    }),
  );
  const rollOut = () => {
    keepDraft(spec.model, { text: spec.change.text, base: spec.baseline });
    const path = `/rollouts?model=${encodeURIComponent(spec.model)}&what=config`;
    router.push(withNode(path, job.node === "local" ? null : job.node));
  };
  const isDoubtful = verdict !== "better";
  return (
    <>
      <GuardedButton permission="rollout.manage" onClick={rollOut}>
        Roll out in steps
      </GuardedButton>
      <GuardedButton permission="lab.run" busy={decide.isPending} onClick={() => setAsked("keep")}>
        Keep
      </GuardedButton>
      <GuardedButton permission="lab.run" busy={decide.isPending} onClick={() => setAsked("revert")}>
        Do not keep
      </GuardedButton>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => {
          if (!open) setAsked(null);
        }}
        title={asked === "keep" ? `Give ${spec.model} the change?` : "Record that the change is not kept?"}
        action={asked === "keep" ? "Keep it" : "Record it"}
        onConfirm={() => {
          if (asked !== null) decide.mutate({ id: job.id, decision: asked });
        }}
      >
        {asked === "keep" ? (
          <p>
            {isDoubtful ? "The experiment did not show that it is better. " : ""}
            The model gets the changed configuration at once, with an entry in its history that can be restored.
          </p>
        ) : (
          <p>Nothing was changed, so nothing is taken back; the experiment stays in the log with its verdict.</p>
        )}
      </ConfirmDialog>
    </>
  );
}
