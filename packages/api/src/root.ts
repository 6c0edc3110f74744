import { auditRouter } from "./routers/audit.ts";
import { metricsRouter } from "./routers/metrics.ts";
import { modelsRouter } from "./routers/models.ts";
import { sessionRouter } from "./routers/session.ts";
import { setupRouter } from "./routers/setup.ts";
import { createCallerFactory, router } from "./trpc.ts";

/** Every procedure of the control plane. */
export const appRouter = router({
  audit: auditRouter,
  metrics: metricsRouter,
  models: modelsRouter,
  session: sessionRouter,
  setup: setupRouter,
});

export type AppRouter = typeof appRouter;

/** Calls procedures without HTTP: `createCaller(ctx).models.list()`. */
export const createCaller = createCallerFactory(appRouter);
