"use client";

import type { Actor, Permission } from "@nereid/services";
import { createContext, type ReactNode, useContext } from "react";

export interface SessionView {
  readonly actor: Actor;
  /** What the server says this actor may do; it checks again at every call. */
  readonly permissions: readonly Permission[];
}

const SessionContext = createContext<SessionView | null>(null);

export function SessionProvider({ value, children }: { readonly value: SessionView; readonly children: ReactNode }) {
  return <SessionContext value={value}>{children}</SessionContext>;
}

/** Who is signed in. Only inside the signed-in part of the app. */
export function useSession(): SessionView {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("useSession needs a SessionProvider");
  return session;
}
