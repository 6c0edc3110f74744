import { sloInput } from "@nereid/services";
import { z } from "zod";
import { nullableNumber, nullableText, object } from "./schemas.ts";

export const sloRecord = object({ ...sloInput.shape, id: z.string(), createdByName: z.string() });

export const sloStanding = object({
  requests: z.number(),
  good: nullableNumber,
  attainment: nullableNumber,
  budgetLeft: nullableNumber,
  burn: z.array(object({ seconds: z.number(), rate: z.number() })),
  goodput: nullableNumber,
  throughput: z.number(),
  state: z.enum(["no-data", "kept", "burning", "broken"]),
  trend: z.array(object({ t: z.number(), left: nullableNumber })),
});

export const sloWithStanding = object({ slo: sloRecord, standing: sloStanding });

export const alertRecord = object({
  id: z.string(),
  key: z.string(),
  severity: z.enum(["page", "ticket"]),
  title: z.string(),
  model: nullableText,
  node: nullableText,
  sloId: nullableText,
  openedAtMs: z.number(),
  closedAtMs: nullableNumber,
  acknowledgedAtMs: nullableNumber,
  acknowledgedByName: nullableText,
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
});

export const channelRecord = object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  severities: z.array(z.string()),
  enabled: z.boolean(),
  createdByName: z.string(),
  last: object({ state: z.string(), error: nullableText, atMs: z.number() }).nullable(),
});

export const savedChannel = object({ channel: channelRecord, secret: nullableText });
