import { permissionsOf } from "@nereid/services";
import type { ReactNode } from "react";
import { AlertBell } from "../../features/alerts/alert-bell.tsx";
import { NodeProvider } from "../../features/nodes/node-context.tsx";
import { NodePicker } from "../../features/nodes/node-picker.tsx";
import { PreferencesProvider } from "../../features/settings/preferences-context.tsx";
import { Breadcrumb } from "../../features/shell/breadcrumb.tsx";
import { CommandCenter } from "../../features/shell/command-center.tsx";
import { FollowAddress } from "../../features/shell/follow-address.tsx";
import { SessionProvider } from "../../features/shell/session-context.tsx";
import { Sidebar } from "../../features/shell/sidebar.tsx";
import { ThemeMenu } from "../../features/shell/theme-menu.tsx";
import { UserMenu } from "../../features/shell/user-menu.tsx";
import { ViewsMenu } from "../../features/shell/views-menu.tsx";
import { ownPreferences } from "../../server/own-preferences.ts";
import { requireActor } from "../../server/session.ts";

/** The frame of every page behind the sign-in. */
export default async function ConsoleLayout({ children }: { readonly children: ReactNode }) {
  const actor = await requireActor();
  return (
    <SessionProvider value={{ actor, permissions: permissionsOf(actor) }}>
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <PreferencesProvider initial={await ownPreferences()}>
        <FollowAddress />
        <NodeProvider>
          <div className="flex min-h-dvh flex-col lg:flex-row">
            <Sidebar />
            <div className="flex min-w-0 grow flex-col">
              <header className="sticky top-0 z-20 flex h-14 items-center justify-between gap-3 border-b bg-bg/90 px-4 backdrop-blur-sm lg:px-6">
                <Breadcrumb />
                <div className="flex shrink-0 items-center gap-1">
                  <NodePicker />
                  <AlertBell />
                  <CommandCenter />
                  <ViewsMenu />
                  <ThemeMenu />
                  <UserMenu />
                </div>
              </header>
              <main id="content" tabIndex={-1} className="w-full max-w-[100rem] grow px-4 py-5 outline-none lg:px-6">
                {children}
              </main>
            </div>
          </div>
        </NodeProvider>
      </PreferencesProvider>
    </SessionProvider>
  );
}
