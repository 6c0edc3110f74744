"use client";

import { Tabs } from "@nereid/ui";
import { type ReactNode, useRef } from "react";
import Link from "../../lib/link.tsx";
import { useCurrentInSight } from "../../lib/use-current-in-sight.ts";
import { useSession } from "../shell/session-context.tsx";

export type SettingsTab = "account" | "keys" | "users" | "nodes" | "slos" | "notifications" | "general" | "appearance";

/** The frame of the settings; only what the role may use is offered. */
export function SettingsFrame({ current, children }: { readonly current: SettingsTab; readonly children: ReactNode }) {
  const { permissions } = useSession();
  const frame = useRef<HTMLDivElement>(null);
  useCurrentInSight(frame, current);
  const tabs = [
    { value: "account", label: "Account", href: "/settings/account" },
    { value: "appearance", label: "Appearance", href: "/settings/appearance" },
    { value: "slos", label: "Objectives", href: "/settings/slos" },
    ...(permissions.includes("key.manage") ? [{ value: "keys", label: "API keys", href: "/settings/keys" }] : []),
    ...(permissions.includes("user.manage") ? [{ value: "users", label: "Users", href: "/settings/users" }] : []),
    ...(permissions.includes("node.manage") ? [{ value: "nodes", label: "Nodes", href: "/settings/nodes" }] : []),
    ...(permissions.includes("channel.manage")
      ? [{ value: "notifications", label: "Notifications", href: "/settings/notifications" }]
      : []),
    ...(permissions.includes("settings.manage")
      ? [{ value: "general", label: "General", href: "/settings/general" }]
      : []),
  ];
  return (
    <div className="space-y-4">
      <h1 className="font-semibold text-xl tracking-tight">Settings</h1>
      <div ref={frame}>
        <Tabs label="Settings" tabs={tabs} current={current} renderLink={(props) => <Link {...props} />} />
      </div>
      {children}
    </div>
  );
}
