import { ALL_PERMISSIONS, type Permission, ROLES } from "@nereid/services";
import { z } from "zod";

/** Strict, because the document says that there are no other fields; a test holds every answer against these. */
export const object = z.strictObject;

export const role = z.enum(ROLES);
export const permission = z.enum(ALL_PERMISSIONS as readonly [Permission, ...Permission[]]);
/** A moment: a Date inside, ISO 8601 on the wire. */
export const moment = z.date();
export const nullableNumber = z.number().nullable();
export const nullableText = z.string().nullable();

export const warning = object({ code: z.string(), message: z.string(), path: z.string().optional() });
export const warnings = object({ warnings: z.array(warning) });

const tensor = object({
  name: z.string(),
  datatype: z.string(),
  dims: z.array(z.union([z.number(), z.string()])),
});

export const graph = object({
  inputs: z.array(tensor),
  outputs: z.array(tensor),
  opset: z.record(z.string(), z.number()),
  producer: z.string(),
  externalData: z.array(z.string()),
  operators: z.record(z.string(), z.number()),
}).nullable();

export const file = object({ path: z.string(), bytes: z.number(), sha256: z.string() });

export const diagnostic = object({
  severity: z.enum(["error", "warning", "info"]),
  code: z.string(),
  message: z.string(),
  path: z.string().optional(),
  help: z.string().optional(),
  line: z.number(),
  column: z.number(),
  endLine: z.number(),
  endColumn: z.number(),
  offset: z.number(),
  endOffset: z.number(),
  fix: object({
    title: z.string(),
    edits: z.array(object({ offset: z.number(), endOffset: z.number(), text: z.string() })),
  }).optional(),
});

export const versionState = z.enum(["UNKNOWN", "READY", "UNAVAILABLE", "LOADING", "UNLOADING"]);

export { tensor };
