export const ROLES = ["viewer", "operator", "admin"] as const;

export type Role = (typeof ROLES)[number];

/** Who is acting: a person who is signed in, a program with a key, or the product itself. */
export interface Actor {
  /** The account's id, the key's id, or `system`. */
  readonly id: string;
  readonly name: string;
  /** The account's role today; a key has the role of its owner. */
  readonly role: Role;
  readonly kind: "user" | "key" | "system";
  /** Only of a key: the permissions that it was given. It may do what both these and its owner's role allow. */
  readonly scopes?: readonly string[];
  /** Only of a key: the account that it belongs to. */
  readonly ownerId?: string;
}

/** Role as stored; anything unknown gets the least rights. */
export function toRole(value: unknown): Role {
  return ROLES.find((role) => role === value) ?? "viewer";
}

/** The account on whose behalf something is done; null for the product itself. */
export function accountOfActor(actor: Actor): string | null {
  if (actor.kind === "system") return null;
  return actor.kind === "key" ? (actor.ownerId ?? null) : actor.id;
}
