import { appRouter } from "./root.ts";

/** Whether a procedure, named as in `metrics.latency`, answers a stream. */
export function isSubscription(path: string): boolean {
  // tRPC keeps them in one flat record with dots in the names; its type says otherwise.
  const procedures = new Map(Object.entries<unknown>(appRouter._def.procedures));
  const procedure = procedures.get(path) as { readonly _def: { readonly type: string } } | undefined;
  return procedure?._def.type === "subscription";
}
