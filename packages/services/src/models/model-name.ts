import { plainVersion } from "@nereid/model-config";
import { z } from "zod";
import { reason } from "../instant.ts";

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

/** Number of a version: the name of its directory. */
export const versionNumber = z
  .string()
  .regex(/^(0|[1-9]\d{0,18})$/, "is not a version number")
  .refine(isVersion, "is not a version number");

/** A version of a model that was made as a candidate: `NAME/VERSION`. */
export const candidateVersion = z
  .string()
  .regex(/^[^/\\\0]{1,255}\/(0|[1-9]\d{0,18})$/, "is not candidate/version")
  .refine((text) => isVersion(text.slice(text.lastIndexOf("/") + 1)), "is not candidate/version");

function isVersion(text: string): boolean {
  return plainVersion(text) === text;
}

export const modelInput = z.object({ name: modelName });

export type ModelInput = z.input<typeof modelInput>;

export const changeModelInput = modelInput.extend({ reason });

export type ChangeModelInput = z.input<typeof changeModelInput>;

export const versionInput = modelInput.extend({ version: versionNumber });

export const changeVersionInput = versionInput.extend({ reason });

export type ChangeVersionInput = z.input<typeof changeVersionInput>;
