import { type Actor, toRole } from "@nereid/services";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { getRuntime } from "./runtime.ts";

/** Who sent these headers, as the database knows it now; null without a valid session. */
export async function findActor(requestHeaders: Headers): Promise<Actor | null> {
  const session = await getRuntime().auth.api.getSession({ headers: requestHeaders });
  if (session === null) return null;
  return { id: session.user.id, name: session.user.name, role: toRole(session.user.role) };
}

/** The actor of the page being rendered; sends everybody else to the sign-in. */
export const requireActor = cache(async (): Promise<Actor> => {
  const actor = await findActor(await headers());
  if (actor === null) redirect("/sign-in");
  return actor;
});
