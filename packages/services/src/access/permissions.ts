import { NereidError } from "@nereid/errors";
import type { Actor, Role } from "./actor.ts";

const EVERYONE: readonly Role[] = ["viewer", "operator", "admin"];
const OPERATORS: readonly Role[] = ["operator", "admin"];
const ADMINS: readonly Role[] = ["admin"];

/** The one permission table: action → roles. */
export const PERMISSIONS = {
  "model.read": EVERYONE,
  "model.load": OPERATORS,
  "model.unload": OPERATORS,
  "model.deploy": OPERATORS,
  "model.configure": OPERATORS,
  "model.delete": OPERATORS,
  "metrics.read": EVERYONE,
  "model.infer": OPERATORS,
  "audit.read": EVERYONE,
  "logs.read": EVERYONE,
  "slo.manage": OPERATORS,
  "alert.acknowledge": OPERATORS,
  "rollout.manage": OPERATORS,
  "lab.run": OPERATORS,
  "channel.manage": ADMINS,
  "node.operate": OPERATORS,
  "node.manage": ADMINS,
  "settings.manage": ADMINS,
  "key.manage": OPERATORS,
  "user.manage": ADMINS,
} as const satisfies Readonly<Record<string, readonly Role[]>>;

export type Permission = keyof typeof PERMISSIONS;

/** Every permission there is; the scopes of keys are of these. */
export const ALL_PERMISSIONS = Object.keys(PERMISSIONS) as readonly Permission[];

type Rights = Pick<Actor, "role" | "kind" | "scopes">;

/** Whether the actor may do it: the role allows it and, for a key, its scopes have it. */
export function can(actor: Rights, permission: Permission): boolean {
  if (!PERMISSIONS[permission].includes(actor.role)) return false;
  return actor.kind !== "key" || (actor.scopes ?? []).includes(permission);
}

/** Throws FORBIDDEN unless the actor may do it; the first line of every verb. */
export function authorise(actor: Actor, permission: Permission): void {
  if (can(actor, permission)) return;
  const roles = PERMISSIONS[permission];
  if (roles.includes(actor.role)) {
    throw new NereidError("FORBIDDEN", `this key may not do this (${permission} is not among its scopes)`, {
      fix: `use a key with the scope ${permission}`,
    });
  }
  throw new NereidError("FORBIDDEN", `the role ${actor.role} may not do this (${permission})`, {
    fix: `ask an administrator for the role ${roles.join(" or ")}`,
  });
}

/** Everything the actor may do, for a user interface that explains what it disables. */
export function permissionsOf(actor: Rights): Permission[] {
  return ALL_PERMISSIONS.filter((permission) => can(actor, permission));
}
