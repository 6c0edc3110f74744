export type { ApiContext } from "./context.ts";
export { type AppRouter, appRouter, createCaller } from "./root.ts";
export type { ErrorExtras } from "./trpc.ts";
