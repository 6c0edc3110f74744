import { LAB_KINDS, labState } from "@nereid/services";
import { z } from "zod";
import { nullableNumber, nullableText, object } from "./schemas.ts";

const summary = {
  id: z.string(),
  kind: z.enum(LAB_KINDS),
  node: z.string(),
  model: z.string(),
  title: z.string(),
  note: z.string(),
  state: labState,
  active: z.boolean(),
  cancelAsked: z.boolean(),
  share: nullableNumber,
  says: z.string(),
  createdAtMs: z.number(),
  createdByName: z.string(),
};

export const labJobPage = object({ jobs: z.array(object(summary)), nextCursor: nullableText });

/** What is asked, how it stands and what came of it have the form of their kind. */
export const labJob = object({
  ...summary,
  spec: z.unknown(),
  progress: z.unknown(),
  result: z.unknown(),
  decision: z.unknown(),
});
