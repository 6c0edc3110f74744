import { NereidError } from "@nereid/errors";
import type { Actor, Role } from "./actor.ts";

const EVERYONE: readonly Role[] = ["viewer", "operator", "admin"];
const OPERATORS: readonly Role[] = ["operator", "admin"];

/** The one permission table: action → roles. */
export const PERMISSIONS = {
  "model.read": EVERYONE,
  "model.load": OPERATORS,
  "model.unload": OPERATORS,
  "metrics.read": EVERYONE,
  "audit.read": EVERYONE,
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Permission = keyof typeof PERMISSIONS;

/** Whether the actor may do it. */
export function can(actor: Pick<Actor, "role">, permission: Permission): boolean {
  return PERMISSIONS[permission].includes(actor.role);
}

/** Throws FORBIDDEN unless the actor may do it; the first line of every verb. */
export function authorise(actor: Actor, permission: Permission): void {
  if (can(actor, permission)) return;
  const roles = PERMISSIONS[permission].join(" or ");
  throw new NereidError("FORBIDDEN", `the role ${actor.role} may not do this (${permission})`, {
    fix: `ask an administrator for the role ${roles}`,
  });
}

/** Everything the actor may do, for a user interface that explains what it disables. */
export function permissionsOf(actor: Pick<Actor, "role">): Permission[] {
  return (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => can(actor, permission));
}
