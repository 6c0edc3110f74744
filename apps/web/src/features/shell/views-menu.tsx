"use client";

import { Button, Menu, MenuHeading, MenuItem } from "@nereid/ui";
import { Bookmark, BookmarkPlus, PencilLine } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ManageViewsDialog } from "./manage-views-dialog.tsx";
import { SaveViewDialog } from "./save-view-dialog.tsx";
import { useViews } from "./use-views.ts";

/** Views that the reader has saved: to open, to add the page that is shown, to change. */
export function ViewsMenu() {
  const router = useRouter();
  const { list } = useViews();
  const [saving, setSaving] = useState(false);
  const [managing, setManaging] = useState(false);
  const views = list.data ?? [];
  return (
    <>
      <Menu
        trigger={
          <Button tone="quiet" size="icon" aria-label="Saved views">
            <Bookmark aria-hidden />
          </Button>
        }
      >
        <MenuHeading>
          {list.isError && list.data === undefined
            ? "The saved views could not be read"
            : views.length === 0
              ? "No view is saved yet"
              : "Saved views"}
        </MenuHeading>
        <div className="max-h-[50vh] max-w-80 overflow-y-auto">
          {views.map(({ id, name, path }) => (
            <MenuItem key={id} onSelect={() => router.push(path)}>
              <Bookmark aria-hidden className="shrink-0" />
              <span className="truncate">{name}</span>
            </MenuItem>
          ))}
        </div>
        <div className="mt-1 border-t pt-1">
          <MenuItem onSelect={() => setSaving(true)}>
            <BookmarkPlus aria-hidden />
            Save this view …
          </MenuItem>
          {views.length === 0 ? null : (
            <MenuItem onSelect={() => setManaging(true)}>
              <PencilLine aria-hidden />
              Rename or delete …
            </MenuItem>
          )}
        </div>
      </Menu>
      <SaveViewDialog open={saving} onOpenChange={setSaving} />
      <ManageViewsDialog open={managing} onOpenChange={setManaging} />
    </>
  );
}
