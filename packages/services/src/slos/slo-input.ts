import type { Slo } from "@nereid/db";
import { z } from "zod";
import { modelName } from "../models/model-name.ts";

/** A name as people type one: no control characters, which a database may refuse and a terminal obey. */
export const shownName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .refine((name) => !/\p{Cc}/u.test(name), "must not have control characters");

/** What may be promised of a model. */
export const sloInput = z.object({
  name: shownName,
  model: modelName,
  /** Milliseconds; null = only that the request succeeds. */
  latencyMs: z.number().min(0.01).max(3_600_000).nullable(),
  /** 100 % leaves no budget, and half is no promise. */
  objective: z.number().min(0.5).max(0.99999),
  windowDays: z.int().min(1).max(30),
});

export type SloInput = z.output<typeof sloInput>;

/** A promise as it is answered. */
export interface SloRecord extends SloInput {
  readonly id: string;
  readonly createdByName: string;
}

export function toSlo({ id, name, model, latencyMs, objective, windowDays, createdByName }: Slo): SloRecord {
  return { id, name, model, latencyMs, objective, windowDays, createdByName };
}
