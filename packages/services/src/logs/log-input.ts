import { z } from "zod";
import { modelName, versionNumber } from "../models/model-name.ts";

export const logFilterInput = z.object({
  model: modelName,
  version: versionNumber.optional(),
  instance: z.string().min(1).max(256).optional(),
  /** This level and what is graver. */
  level: z.enum(["debug", "info", "warn", "error"]).optional(),
  q: z.string().max(200).optional(),
  /** Unix milliseconds. */
  since: z.int().min(0).optional(),
  /** Only lines later than the one with this id. */
  after: z.int().min(0).optional(),
});

export const listLogsInput = logFilterInput.extend({ limit: z.int().min(1).max(5_000).default(1_000) });
