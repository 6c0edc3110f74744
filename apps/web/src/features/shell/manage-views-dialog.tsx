"use client";

import type { SavedView } from "@nereid/services";
import { Button, Dialog, Input, Message } from "@nereid/ui";
import { type FormEvent, useState } from "react";
import type { SaveViewDialogProps } from "./save-view-dialog.tsx";
import { useViews } from "./use-views.ts";

/** Renames and deletes saved views. */
export function ManageViewsDialog({ open, onOpenChange }: SaveViewDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Saved views">
      <ViewsList />
    </Dialog>
  );
}

function ViewsList() {
  const views = useViews();
  const { data = [] } = views.list;
  if (data.length === 0) return <Message kind="empty" title="No view is saved" />;
  return (
    <ul className="divide-y">
      {data.map((view) => (
        <ViewRow key={`${view.id} ${view.name}`} view={view} views={views} />
      ))}
    </ul>
  );
}

interface ViewRowProps {
  readonly view: SavedView;
  readonly views: ReturnType<typeof useViews>;
}

function ViewRow({ view, views }: ViewRowProps) {
  const [name, setName] = useState(view.name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    views.rename.mutate({ id: view.id, name });
  };
  return (
    <li className="py-2.5 first:pt-0 last:pb-0">
      <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
        <Input
          aria-label={`Name of ${view.name}`}
          className="min-w-0 flex-1 basis-40"
          maxLength={60}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Button
          type="submit"
          aria-label={`Rename ${view.name}`}
          disabled={name.trim() === "" || name.trim() === view.name}
        >
          Rename
        </Button>
        <Button aria-label={`Delete ${view.name}`} onClick={() => views.remove.mutate({ id: view.id })}>
          Delete
        </Button>
      </form>
      <p className="mt-1 truncate font-mono text-[0.786rem] text-ink-soft">{view.path}</p>
    </li>
  );
}
