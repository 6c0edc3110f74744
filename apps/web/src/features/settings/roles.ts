import type { Role } from "@nereid/services";

/** The roles, least rights first. Named here because the services' own list comes with the database. */
export const ROLES = ["viewer", "operator", "admin"] as const satisfies readonly Role[];
