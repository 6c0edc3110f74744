"use client";

import type { RolloutCommand, RolloutView } from "@nereid/services";
import { ConfirmDialog } from "@nereid/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";
import { useChange } from "../settings/use-change.ts";
import { COMMAND_WORDS } from "./rollout-words.ts";

/** What a person may ask of the rollout as it stands, each asked back before. */
export function RolloutActions({ rollout: { id, commands } }: { readonly rollout: RolloutView }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useChange();
  const [asked, setAsked] = useState<RolloutCommand | null>(null);
  const operate = useMutation(
    trpc.rollouts.operate.mutationOptions({
      ...change,
      onSuccess: () => void queryClient.invalidateQueries({ queryKey: trpc.rollouts.pathKey() }),
    }),
  );
  return (
    <div className="flex flex-wrap gap-2">
      {commands.map((command) => (
        <GuardedButton
          key={command}
          permission="rollout.manage"
          busy={operate.isPending && operate.variables.action === command}
          onClick={() => setAsked(command)}
        >
          {COMMAND_WORDS[command].label}
        </GuardedButton>
      ))}
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => {
          if (!open) setAsked(null);
        }}
        title={asked === null ? "" : COMMAND_WORDS[asked].question}
        action={asked === null ? "" : COMMAND_WORDS[asked].label}
        onConfirm={() => {
          if (asked !== null) operate.mutate({ id, action: asked });
        }}
      >
        <p>{asked === null ? "" : COMMAND_WORDS[asked].effect}</p>
      </ConfirmDialog>
    </div>
  );
}
