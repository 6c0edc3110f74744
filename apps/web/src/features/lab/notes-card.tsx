"use client";

import type { LabJobSummary } from "@nereid/services";
import { Card, Field, Textarea } from "@nereid/ui";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { useTRPC } from "../../lib/trpc.tsx";
import { GuardedButton } from "../models/guarded-button.tsx";
import { useChange } from "../settings/use-change.ts";
import { useSession } from "../shell/session-context.tsx";

/** Title and note of a job, to be found by. */
export function NotesCard({ job: { id, title, note } }: { readonly job: LabJobSummary }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useChange();
  const allowed = useSession().permissions.includes("lab.run");
  const [draft, setDraft] = useState({ title, note });
  const save = useMutation(
    trpc.lab.note.mutationOptions({
      ...change,
      onSuccess: () => {
        toast.success("Kept");
        void queryClient.invalidateQueries({ queryKey: trpc.lab.pathKey() });
      },
    }),
  );
  const wrong =
    draft.title.trim() === "" ? "is needed" : draft.title.length > 200 ? "has 200 characters at most" : undefined;
  const same = draft.title === title && draft.note === note;
  return (
    <Card title="Title and note" hint="Lists are searched by both.">
      <div className="space-y-3">
        <Field
          label="Title"
          value={draft.title}
          error={wrong}
          readOnly={!allowed}
          onChange={({ target }) => setDraft({ ...draft, title: target.value })}
        />
        <Textarea
          label="Note"
          value={draft.note}
          maxLength={5_000}
          readOnly={!allowed}
          onChange={({ target }) => setDraft({ ...draft, note: target.value })}
        />
        <GuardedButton
          permission="lab.run"
          busy={save.isPending}
          refusal={wrong === undefined ? (same ? "Nothing was changed." : null) : `The title ${wrong}.`}
          onClick={() => save.mutate({ id, ...draft })}
        >
          Keep
        </GuardedButton>
      </div>
    </Card>
  );
}
