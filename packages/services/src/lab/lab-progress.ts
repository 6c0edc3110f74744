import { z } from "zod";
import type { Json } from "./lab-task.ts";

const head = z.object({ says: z.string().optional(), share: z.number().optional() });
const LONGEST_LINE = 500;

/** What lists show of a progress or of a result: its line and how far it is. Pure. */
export function headOfJson(value: Json): { readonly says?: string; readonly share?: number } {
  const found = head.safeParse(value);
  if (!found.success) return {};
  const { says, share } = found.data;
  return {
    ...(says !== undefined && { says: says.slice(0, LONGEST_LINE) }),
    ...(share !== undefined && { share: Math.min(1, Math.max(0, share)) }),
  };
}
