import {
  getRollout,
  listRollouts,
  listRolloutsInput,
  operateRollout,
  operateRolloutInput,
  rolloutInput,
  startRollout,
  startRolloutInput,
} from "@nereid/services";
import { z } from "zod";
import { rolloutSummary, rolloutView } from "../rest/rollout-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const rolloutsRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/rollouts",
        summary: "Rollouts of all nodes, those that are under way first",
        permission: "model.read",
        output: { name: "Rollouts", schema: z.array(rolloutSummary) },
      },
    })
    .input(listRolloutsInput)
    .query(({ ctx, input }) => listRollouts({ ctx: ctx.service, input })),
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/rollouts/{id}",
        summary: "A rollout: steps, gates with their figures, weights that are wanted and set, what was decided",
        permission: "model.read",
        output: { name: "Rollout", schema: rolloutView },
      },
    })
    .input(rolloutInput)
    .query(({ ctx, input }) => getRollout({ ctx: ctx.service, input })),
  start: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/rollouts",
        summary: "Give a version or a configuration the traffic step by step; gates send it back",
        permission: "rollout.manage",
        output: { name: "Rollout", schema: rolloutView },
      },
    })
    .input(startRolloutInput)
    .mutation(({ ctx, input }) => startRollout({ ctx: ctx.service, input })),
  operate: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/rollouts/{id}/{action}",
        summary: "Pause, resume, promote by a step or fully, abort, or try again; acted on within a second",
        permission: "rollout.manage",
        output: { name: "Rollout", schema: rolloutView },
      },
    })
    .input(operateRolloutInput)
    .mutation(({ ctx, input }) => operateRollout({ ctx: ctx.service, input })),
});
