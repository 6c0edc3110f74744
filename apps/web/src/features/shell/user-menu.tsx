"use client";

import { Button, Menu, MenuHeading, MenuItem } from "@nereid/ui";
import { CircleUserRound, LogOut } from "lucide-react";
import { toast } from "sonner";
import { signOut } from "../auth/auth-calls.ts";
import { useSession } from "./session-context.tsx";

export function UserMenu() {
  const { actor } = useSession();
  const leave = async () => {
    if (await signOut()) {
      // A whole new page, so that nothing of this user stays in memory.
      window.location.assign("/sign-in");
    } else {
      toast.error("Signing out failed", { description: "The dashboard did not answer. You are still signed in." });
    }
  };
  return (
    <Menu
      trigger={
        <Button tone="quiet" className="px-2 text-ink">
          <CircleUserRound aria-hidden className="!size-4.5" />
          <span className="max-w-32 truncate">{actor.name}</span>
        </Button>
      }
    >
      <MenuHeading>
        <span className="block font-medium text-[0.929rem]">{actor.name}</span>
        <span className="text-ink-soft">Role: {actor.role}</span>
      </MenuHeading>
      <MenuItem onSelect={() => void leave()}>
        <LogOut aria-hidden />
        Sign out
      </MenuItem>
    </Menu>
  );
}
