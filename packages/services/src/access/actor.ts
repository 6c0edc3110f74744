export const ROLES = ["viewer", "operator", "admin"] as const;

export type Role = (typeof ROLES)[number];

/** Who is acting. Only people sign in today; keys and jobs join the union when they exist. */
export interface Actor {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

/** Role as stored; anything unknown gets the least rights. */
export function toRole(value: unknown): Role {
  return ROLES.find((role) => role === value) ?? "viewer";
}
