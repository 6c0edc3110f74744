"use client";

import type { LabJobSummary } from "@nereid/services";
import { ConfirmDialog } from "@nereid/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Square } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";
import { useChange } from "../settings/use-change.ts";
import { KIND_WORDS } from "./lab-words.ts";

/** Stops a job that waits or runs, asked back before. */
export function StopButton({ job: { id, kind, title, cancelAsked } }: { readonly job: LabJobSummary }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useChange();
  const [asking, setAsking] = useState(false);
  const cancel = useMutation(
    trpc.lab.cancel.mutationOptions({
      ...change,
      onSuccess: () => void queryClient.invalidateQueries({ queryKey: trpc.lab.pathKey() }),
    }),
  );
  const { one } = KIND_WORDS[kind];
  return (
    <>
      <GuardedButton permission="lab.run" busy={cancel.isPending || cancelAsked} onClick={() => setAsking(true)}>
        {cancel.isPending || cancelAsked ? null : <Square aria-hidden />}
        Stop
      </GuardedButton>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Stop this ${one}?`}
        action={`Stop the ${one}`}
        onConfirm={() => cancel.mutate({ id })}
      >
        <p>“{title}” ends within seconds. What was measured so far is kept; it does not go on later.</p>
      </ConfirmDialog>
    </>
  );
}
