"use client";

import { Button, Dialog, Field } from "@nereid/ui";
import { usePathname, useSearchParams } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useViews } from "./use-views.ts";

export interface SaveViewDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Gives the page that is shown, as it is shown, a name. */
export function SaveViewDialog({ open, onOpenChange }: SaveViewDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Save this view"
      description="This page with its range, filters and node, for you alone."
    >
      <SaveForm onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function SaveForm({ onDone }: { readonly onDone: () => void }) {
  const pathname = usePathname();
  const search = useSearchParams().toString();
  const { save } = useViews();
  const [name, setName] = useState(() => document.title.replace(/ · Nereid$/, "").slice(0, 60));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ name, path: search === "" ? pathname : `${pathname}?${search}` }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <Field label="Name" maxLength={60} value={name} onChange={({ target }) => setName(target.value)} />
      <Button type="submit" tone="primary" busy={save.isPending} disabled={name.trim() === ""}>
        Save
      </Button>
    </form>
  );
}
