import { useQueryStates } from "nuqs";
import { auditSearchParams } from "./search-params.ts";

export interface AuditQuery {
  readonly q: string | undefined;
  readonly action: string | undefined;
  readonly outcome: "succeeded" | "failed" | undefined;
  readonly targetType: string | undefined;
  readonly targetId: string | undefined;
  readonly actorId: string | undefined;
  /** Of one row. */
  readonly id: string | undefined;
}

/** The filter as it stands in the address. */
export function useAuditQuery(): AuditQuery {
  const [params] = useQueryStates(auditSearchParams);
  return {
    q: params.q === "" ? undefined : params.q,
    action: params.action === "" ? undefined : params.action,
    outcome: params.outcome ?? undefined,
    targetType: params.targetType ?? undefined,
    targetId: params.targetId ?? undefined,
    actorId: params.actorId ?? undefined,
    id: params.id ?? undefined,
  };
}
