import { z } from "zod";

/** Name of a model as it appears in a repository. */
export const modelName = z
  .string()
  .min(1)
  .max(255)
  // Half of a surrogate pair cannot be said in an address.
  .refine(
    (name) => !/\p{Surrogate}/u.test(name) && !/[/\\\0]/.test(name) && name !== "." && name !== "..",
    "is not a model name",
  );

export const modelInput = z.object({ name: modelName });

export type ModelInput = z.input<typeof modelInput>;
