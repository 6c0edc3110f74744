import { systemClock } from "@nereid/services";
import { auditedAuth } from "../../../../server/audited-sign-in.ts";
import { getRuntime } from "../../../../server/runtime.ts";

function handle(request: Request): Promise<Response> {
  const { auth, db } = getRuntime();
  return auditedAuth({ auth, db, clock: systemClock }, request);
}

export { handle as GET, handle as POST };
