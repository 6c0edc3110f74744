import { z } from "zod";
import { moment, nullableText, object, permission, role } from "./schemas.ts";

const actor = object({
  id: z.string(),
  name: z.string(),
  role,
  kind: z.enum(["user", "key", "system"]),
  scopes: z.array(z.string()).optional(),
  ownerId: z.string().optional(),
});

export const me = object({ actor, permissions: z.array(permission), twoFactor: z.boolean() });

export const userRow = object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role,
  createdAt: moment,
  twoFactor: z.boolean(),
  lastSeenAt: moment.nullable(),
  sessions: z.number(),
  disabled: z.boolean(),
});

export const oneTimeLink = object({ inviteId: z.string(), token: z.string(), expiresAt: moment, path: z.string() });

export const invitation = object({
  id: z.string(),
  kind: z.enum(["invite", "reset"]),
  email: z.string(),
  name: z.string(),
  role,
  createdAt: moment,
  createdByName: z.string(),
  expiresAt: moment,
});

export const accepted = object({ email: z.string(), kind: z.enum(["invite", "reset"]) });
export const changedRole = object({ role });

export const sessionRow = object({
  id: z.string(),
  createdAt: moment,
  expiresAt: moment,
  ipAddress: nullableText,
  userAgent: nullableText,
  current: z.boolean(),
});

export const keyRow = object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(permission),
  role,
  createdByName: z.string(),
  createdAt: moment,
  expiresAt: moment.nullable(),
  lastUsedAt: moment.nullable(),
  revokedAt: moment.nullable(),
});

export const createdKey = object({ key: keyRow, secret: z.string() });

export const setupState = object({ needed: z.boolean() });
export const createdUser = object({ id: z.string() });
