import { permissionsOf } from "@nereid/services";
import { router, viewerProcedure } from "../trpc.ts";

export const sessionRouter = router({
  /** Who is signed in and what that role may do. */
  me: viewerProcedure.query(({ ctx }) => ({ actor: ctx.actor, permissions: permissionsOf(ctx.actor) })),
});
