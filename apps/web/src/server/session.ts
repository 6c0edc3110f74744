import { type Actor, toRole } from "@nereid/services";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { getRuntime } from "./runtime.ts";

export interface SessionFacts {
  readonly actor: Actor | null;
  readonly sessionId: string | null;
}

/** Who sent these headers and in which session, as the database knows it now; nulls without a valid one. */
export async function findSession(requestHeaders: Headers): Promise<SessionFacts> {
  const found = await getRuntime().auth.api.getSession({ headers: requestHeaders });
  if (found === null) return { actor: null, sessionId: null };
  const { user, session } = found;
  // Disabling an account ends its sessions; one that was begun at the same moment must not live on.
  if (user.disabled) return { actor: null, sessionId: null };
  return { actor: { id: user.id, name: user.name, role: toRole(user.role), kind: "user" }, sessionId: session.id };
}

/** Who sent these headers; null without a valid session. */
export async function findActor(requestHeaders: Headers): Promise<Actor | null> {
  return (await findSession(requestHeaders)).actor;
}

/** The actor of the page being rendered; sends everybody else to the sign-in. */
export const requireActor = cache(async (): Promise<Actor> => {
  const actor = await findActor(await headers());
  if (actor === null) redirect("/sign-in");
  return actor;
});
