import type { Transaction } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { ROLES } from "../access/actor.ts";
import { reason } from "../instant.ts";

export const email = z.email().max(254).toLowerCase();
/** Control characters, and those that turn the direction of what stands around them. */
const UNFIT = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export const personName = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(100)
  .refine((name) => !UNFIT.test(name), "must be plain text");
export const newPassword = z.string().min(12, "must have at least 12 characters").max(128);
export const role = z.enum(ROLES);

const id = z.string().min(1).max(100);

export const userInput = z.object({ id });
export const changeUserInput = userInput.extend({ reason });

export interface UserFacts {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly disabled: boolean;
}

/** The account, inside a transaction. Throws NOT_FOUND. */
export async function requireUser(tx: Transaction, id: string): Promise<UserFacts> {
  const user = await tx.user.findUnique({
    where: { id },
    select: { id: true, name: true, email: true, role: true, disabled: true },
  });
  if (user === null) throw new NereidError("NOT_FOUND", `there is no user with the id '${id}'`);
  return user;
}

/**
 * Throws CONFLICT when nobody could administer any more without this account. Inside writeTransaction, where changes come one after the
 * other: two administrators cannot demote each other at the same time.
 */
export async function requireOtherAdmin(tx: Transaction, user: UserFacts, what: string): Promise<void> {
  if (user.role !== "admin" || user.disabled) return;
  const others = await tx.user.count({ where: { role: "admin", disabled: false, id: { not: user.id } } });
  if (others > 0) return;
  throw new NereidError("CONFLICT", `${user.name} is the last administrator and cannot be ${what}`, {
    fix: "make somebody else an administrator first",
  });
}
