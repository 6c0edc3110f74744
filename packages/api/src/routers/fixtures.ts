import {
  fixtureInput,
  fixturesInput,
  getFixture,
  listFixtures,
  removeFixture,
  saveFixture,
  saveFixtureInput,
} from "@nereid/services";
import { z } from "zod";
import { fixtureRecord, fixtureRow } from "../rest/playground-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const fixturesRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{model}/fixtures",
        summary: "The requests to a model that are kept with a name, without their values",
        permission: "model.read",
        output: { name: "Fixtures", schema: z.array(fixtureRow) },
      },
    })
    .input(fixturesInput)
    .query(({ ctx, input }) => listFixtures({ ctx: ctx.service, input })),
  get: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/models/{model}/fixtures/{name}",
        summary: "A kept request with its values",
        permission: "model.read",
        output: { name: "Fixture", schema: fixtureRecord },
      },
    })
    .input(fixtureInput)
    .query(({ ctx, input }) => getFixture({ ctx: ctx.service, input })),
  save: viewerProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/models/{model}/fixtures/{name}",
        summary: "Keep a request with a name, in the place of another one of that name",
        permission: "model.infer",
        output: { name: "Fixture", schema: fixtureRecord },
      },
    })
    .input(saveFixtureInput)
    .mutation(({ ctx, input }) => saveFixture({ ctx: ctx.service, input })),
  remove: viewerProcedure
    .meta({
      rest: {
        method: "DELETE",
        path: "/models/{model}/fixtures/{name}",
        summary: "Delete a kept request; answers what it was",
        permission: "model.infer",
        output: { name: "Fixture", schema: fixtureRecord },
      },
    })
    .input(fixtureInput)
    .mutation(({ ctx, input }) => removeFixture({ ctx: ctx.service, input })),
});
