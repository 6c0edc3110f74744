import type { Metadata } from "next";
import { AuditPage } from "../../../features/audit/audit-page.tsx";
import { Prefetch } from "../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Audit log" };

export default function Page() {
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        client.prefetchInfiniteQuery(
          trpc.audit.list.infiniteQueryOptions(
            { limit: 50 },
            { getNextPageParam: (page) => page.nextCursor ?? undefined },
          ),
        ),
      ]}
    >
      <AuditPage />
    </Prefetch>
  );
}
