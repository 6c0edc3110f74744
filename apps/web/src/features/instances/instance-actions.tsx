"use client";

import type { InstanceAction, InstanceFacts, VersionBatching } from "@nereid/client";
import { ConfirmDialog } from "@nereid/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";
import { useNode } from "../nodes/node-context.tsx";
import { DONE_WORDS, isLastServing, refusalOf } from "./instance-words.ts";

export interface InstanceActionsProps {
  readonly model: string;
  readonly version: VersionBatching;
  readonly instance: InstanceFacts;
}

type Asked = Exclude<InstanceAction, "resume">;

/** Drains, resumes and restarts one instance; what holds requests up is asked about first. */
export function InstanceActions({ model, version, instance }: InstanceActionsProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const cannot = useNode().node?.capabilities.instances ?? null;
  const [asked, setAsked] = useState<Asked | null>(null);
  const called = `${instance.name} (instance ${instance.index})`;
  const operate = useMutation(
    trpc.batching.operate.mutationOptions({
      onSuccess: (_result, { action }) => void toast.success(`${called} ${DONE_WORDS[action]}`),
      onError: (error, { action }) => {
        const { message, fix } = shownError(error);
        const description = fix === null ? message : `${message} – ${fix}`;
        toast.error(`${called}: the ${action} failed`, { description, duration: 12_000 });
      },
      onSettled: () =>
        Promise.all(
          [trpc.batching, trpc.audit].map((router) => queryClient.invalidateQueries({ queryKey: router.pathKey() })),
        ),
    }),
  );
  const refusal = (action: InstanceAction) =>
    cannot === null ? refusalOf(action, { version, instance }) : `Not on this node: ${cannot}.`;
  const last = isLastServing(version, instance);
  const run = (action: InstanceAction) =>
    operate.mutate({
      name: model,
      version: version.version,
      instance: String(instance.index),
      action,
      ...(last && action !== "resume" && { force: true }),
    });
  const running = operate.isPending ? operate.variables.action : null;
  const isHeld = instance.phase === "draining" || instance.phase === "drained";
  return (
    <div className="flex justify-end gap-2">
      {isHeld ? (
        <GuardedButton
          permission="model.load"
          label={`Resume ${called}`}
          refusal={refusal("resume")}
          busy={running === "resume"}
          onClick={() => run("resume")}
        >
          Resume
        </GuardedButton>
      ) : (
        <GuardedButton
          permission="model.load"
          label={`Drain ${called}`}
          refusal={refusal("drain")}
          busy={running === "drain"}
          onClick={() => setAsked("drain")}
        >
          Drain
        </GuardedButton>
      )}
      <GuardedButton
        permission="model.load"
        label={`Restart ${called}`}
        refusal={refusal("restart")}
        busy={running === "restart"}
        onClick={() => setAsked("restart")}
      >
        Restart
      </GuardedButton>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => {
          if (!open) setAsked(null);
        }}
        title={`${asked === "drain" ? "Drain" : "Restart"} ${instance.name}?`}
        action={`${asked === "drain" ? "Drain" : "Restart"}${last ? " all the same" : ""}`}
        onConfirm={() => {
          if (asked !== null) run(asked);
        }}
      >
        {asked === "drain" ? (
          <p>What it executes ends; it gets no further batch until it is resumed.</p>
        ) : (
          <p>
            What it executes may take 30 s to end, then it fails with 503. Its thread is started again and warmed up;
            the model stays loaded.
          </p>
        )}
        {last ? (
          <p className="font-medium text-bad">
            It is the last instance that serves: requests wait in the queue until{" "}
            {asked === "drain" ? "one is resumed" : "it is back"}, and are refused where the queue policy says so.
          </p>
        ) : null}
      </ConfirmDialog>
    </div>
  );
}
