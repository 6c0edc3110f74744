import { logError } from "../../../server/log.ts";
import { getRuntime } from "../../../server/runtime.ts";

export const dynamic = "force-dynamic";

/** Readiness of the dashboard: 200 while its database answers. The data plane has health routes of its own. */
export async function GET(): Promise<Response> {
  const headers = { "cache-control": "no-store" };
  try {
    await getRuntime().db.setting.count();
    return Response.json({ status: "ok" }, { headers });
  } catch (error) {
    logError("health", error);
    return Response.json({ status: "unavailable", reason: "the database does not answer" }, { status: 503, headers });
  }
}
