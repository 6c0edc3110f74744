export type { ApiContext } from "./context.ts";
export { isSubscription } from "./is-subscription.ts";
export { type AppRouter, appRouter, createCaller } from "./root.ts";
export { StreamLimit } from "./stream-limit.ts";
export type { ErrorExtras } from "./trpc.ts";
