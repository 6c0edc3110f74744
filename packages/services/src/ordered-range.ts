import type { z } from "zod";

/** Refinement of inputs with a range: an end before its beginning is a mistake, not an empty answer. Named for the field `to`. */
export function endsAfterItBegins(
  range: { readonly from?: number | Date | undefined; readonly to?: number | Date | undefined },
  found: z.core.$RefinementCtx,
): void {
  if (range.from === undefined || range.to === undefined || range.to >= range.from) return;
  found.addIssue({ code: "custom", path: ["to"], message: "must not be earlier than from" });
}
