import { z } from "zod";

/** The last Unix second that dates of JavaScript and of both databases can say: of the year 9999. */
export const LAST_SECOND = 253_402_300_799;

/** A moment as a Date or, from programs, as ISO 8601 with a zone. */
export const instant = z
  .union([z.date(), z.iso.datetime({ offset: true, local: false })])
  .transform((value) => (value instanceof Date ? value : new Date(value)));

/** Why something is done, for the audit trail. */
export const reason = z.string().trim().max(500).optional();
