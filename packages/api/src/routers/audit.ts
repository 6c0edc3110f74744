import { listAudit, listAuditInput } from "@nereid/services";
import { router, viewerProcedure } from "../trpc.ts";

export const auditRouter = router({
  list: viewerProcedure.input(listAuditInput).query(({ ctx, input }) => listAudit({ ctx: ctx.service, input })),
});
