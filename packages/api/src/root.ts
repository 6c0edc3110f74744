import { alertsRouter } from "./routers/alerts.ts";
import { auditRouter } from "./routers/audit.ts";
import { batchingRouter } from "./routers/batching.ts";
import { configRouter } from "./routers/config.ts";
import { deployRouter } from "./routers/deploy.ts";
import { diagnoseRouter } from "./routers/diagnose.ts";
import { eventsRouter } from "./routers/events.ts";
import { experimentsRouter } from "./routers/experiments.ts";
import { fixturesRouter } from "./routers/fixtures.ts";
import { graphRouter } from "./routers/graph.ts";
import { historyRouter } from "./routers/history.ts";
import { keysRouter } from "./routers/keys.ts";
import { labRouter } from "./routers/lab.ts";
import { loadTestsRouter } from "./routers/load-tests.ts";
import { logsRouter } from "./routers/logs.ts";
import { memoryRouter } from "./routers/memory.ts";
import { metricsRouter } from "./routers/metrics.ts";
import { modelsRouter } from "./routers/models.ts";
import { nodesRouter } from "./routers/nodes.ts";
import { overviewRouter } from "./routers/overview.ts";
import { playgroundRouter } from "./routers/playground.ts";
import { requestsRouter } from "./routers/requests.ts";
import { rolloutsRouter } from "./routers/rollouts.ts";
import { sessionRouter } from "./routers/session.ts";
import { settingsRouter } from "./routers/settings.ts";
import { setupRouter } from "./routers/setup.ts";
import { shadowRouter } from "./routers/shadow.ts";
import { shapesRouter } from "./routers/shapes.ts";
import { slosRouter } from "./routers/slos.ts";
import { trafficRouter } from "./routers/traffic.ts";
import { tuningsRouter } from "./routers/tunings.ts";
import { usersRouter } from "./routers/users.ts";
import { versionsRouter } from "./routers/versions.ts";
import { viewsRouter } from "./routers/views.ts";
import { createCallerFactory, router } from "./trpc.ts";

/** Every procedure of the control plane. */
export const appRouter = router({
  alerts: alertsRouter,
  audit: auditRouter,
  batching: batchingRouter,
  graph: graphRouter,
  logs: logsRouter,
  memory: memoryRouter,
  shapes: shapesRouter,
  config: configRouter,
  deploy: deployRouter,
  diagnose: diagnoseRouter,
  events: eventsRouter,
  fixtures: fixturesRouter,
  history: historyRouter,
  keys: keysRouter,
  lab: labRouter,
  tunings: tuningsRouter,
  experiments: experimentsRouter,
  loadTests: loadTestsRouter,
  metrics: metricsRouter,
  models: modelsRouter,
  nodes: nodesRouter,
  overview: overviewRouter,
  playground: playgroundRouter,
  requests: requestsRouter,
  rollouts: rolloutsRouter,
  session: sessionRouter,
  settings: settingsRouter,
  setup: setupRouter,
  slos: slosRouter,
  shadow: shadowRouter,
  traffic: trafficRouter,
  users: usersRouter,
  versions: versionsRouter,
  views: viewsRouter,
});

export type AppRouter = typeof appRouter;

/** Calls procedures without HTTP: `createCaller(ctx).models.list()`. */
export const createCaller = createCallerFactory(appRouter);
