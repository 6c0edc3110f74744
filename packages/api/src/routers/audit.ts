import { listAudit, listAuditInput, verifyAudit } from "@nereid/services";
import { auditPage, auditVerdict } from "../rest/overview-schemas.ts";
import { router, viewerProcedure } from "../trpc.ts";

export const auditRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/audit",
        summary: "The audit trail, newest first",
        permission: "audit.read",
        output: { name: "AuditPage", schema: auditPage },
      },
    })
    .input(listAuditInput)
    .query(({ ctx, input }) => listAudit({ ctx: ctx.service, input })),
  verify: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/audit/verify",
        summary: "Follow the audit trail's chain of hashes",
        permission: "audit.read",
        output: { name: "AuditVerdict", schema: auditVerdict },
      },
    })
    .query(({ ctx }) => verifyAudit({ ctx: ctx.service })),
});
